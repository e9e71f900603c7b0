/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Compressed content is damaged; the reader turns it into an error that names the file. */
final class CorruptStreamException extends IOException {
  private static final long serialVersionUID = 1L;

  private final RecordError error;

  CorruptStreamException(RecordError error, String reason, @Nullable Throwable cause) {
    super(reason, cause);
    this.error = error;
  }

  RecordError error() {
    return error;
  }
}
