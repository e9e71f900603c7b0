/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

/** Hears of each damage that a reader passes over, before the record behind it is read. */
@FunctionalInterface
public interface DamageListener {

  /**
   * Called on the reader's thread.
   *
   * @param damage what was passed over
   */
  void onDamage(Damage damage);
}
