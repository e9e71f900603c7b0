/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

import org.bytedeco.javacpp.BytePointer;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;

/** One {@code TF_Status}, reusable. */
final class Status implements AutoCloseable {
  private final TF_Status handle = tensorflow.TF_NewStatus();

  TF_Status handle() {
    return handle;
  }

  void check() {
    int code = tensorflow.TF_GetCode(handle);
    if (code != 0) {
      BytePointer message = tensorflow.TF_Message(handle);
      throw new NativeException(code, message.getString(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  @Override
  public void close() {
    tensorflow.TF_DeleteStatus(handle);
  }
}
