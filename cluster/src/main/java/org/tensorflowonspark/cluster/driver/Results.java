/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.nio.ByteBuffer;
import org.apache.spark.SparkEnv;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;

/** Reads what programs returned. */
public final class Results {
  private Results() {}

  /** The value in {@code bytes}; null for a program that returned none. */
  public static @Nullable Object read(byte[] bytes) {
    if (bytes.length == 0) {
      return null;
    }
    try {
      return SparkEnv.get()
          .closureSerializer()
          .newInstance()
          .deserialize(
              ByteBuffer.wrap(bytes),
              Thread.currentThread().getContextClassLoader(),
              scala.reflect.ClassTag$.MODULE$.Object());
    } catch (Exception e) { // Scala throws checked exceptions that no signature shows
      throw new TfosException(
          ClusterError.RESULT_UNREADABLE,
          "A program's result of " + bytes.length + " bytes cannot be read on the driver",
          "Return a value of a class that the driver has too.",
          e);
    }
  }
}
