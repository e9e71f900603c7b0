/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

import org.bytedeco.javacpp.Pointer;
import org.tensorflow.internal.c_api.TFJ_RuntimeLibrary;
import org.tensorflow.internal.c_api.global.tensorflow;

/** The native library itself. */
public final class NativeRuntime {
  private NativeRuntime() {}

  /**
   * Unpacks and links the library if that has not happened yet.
   *
   * @throws UnsatisfiedLinkError if there is none for this machine
   */
  public static void load() {
    TFJ_RuntimeLibrary.load();
  }

  /** TensorFlow's version. */
  public static String version() {
    return tensorflow.TF_Version().getString();
  }

  /** Whether {@code opType} can be differentiated in C++ (or needs not to be). */
  public static boolean hasGradient(String opType) {
    return tensorflow.TFJ_HasGradient(opType);
  }

  /** JavaCPP's limit of the process's memory, 0 when off. */
  public static long memoryLimit() {
    return Pointer.maxPhysicalBytes();
  }
}
