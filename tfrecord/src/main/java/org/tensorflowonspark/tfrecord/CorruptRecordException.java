/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/** A TFRecord file is damaged; the message names file and offset. */
public final class CorruptRecordException extends TfosException {
  private static final long serialVersionUID = 1L;

  private final transient Damage damage;

  /** The failure for {@code damage}. */
  public CorruptRecordException(Damage damage, String remedy, @Nullable Throwable cause) {
    super(
        damage.error(),
        damage.file() + " at byte " + damage.offset() + ": " + damage.reason(),
        remedy,
        cause);
    this.damage = damage;
  }

  /** What was found. */
  public Damage damage() {
    return damage;
  }
}
