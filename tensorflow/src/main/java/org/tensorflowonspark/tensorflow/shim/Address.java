/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

import org.bytedeco.javacpp.Pointer;

/** A pointer with a given address and no deallocator. */
final class Address extends Pointer {
  Address(long address) {
    this.address = address;
  }
}
