/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.spark;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcTimeout;
import org.apache.spark.util.RpcUtils;
import scala.concurrent.duration.FiniteDuration;
import scala.reflect.ClassTag;

/** A node's side of a {@link DriverEndpoint}: asks and waits for the answer. Any thread. */
public final class DriverConnection {
  private static final ClassTag<byte[]> BYTES = scala.reflect.ClassTag$.MODULE$.apply(byte[].class);

  private final RpcEndpointRef driver;

  private DriverConnection(RpcEndpointRef driver) {
    this.driver = driver;
  }

  /** Finds the driver's endpoint {@code name} from an executor (or from the driver itself). */
  public static DriverConnection to(String name) {
    SparkEnv env = SparkEnv.get();
    SparkConf conf = env.conf();
    return new DriverConnection(RpcUtils.makeDriverRef(name, conf, env.rpcEnv()));
  }

  /**
   * Sends {@code message} and waits for the answer.
   *
   * @throws IllegalStateException when the driver refuses, is gone or does not answer in time, or
   *     when the thread is interrupted (which it stays)
   */
  public byte[] ask(byte[] message, Duration timeout) {
    RpcTimeout limit =
        new RpcTimeout(
            new FiniteDuration(timeout.toMillis(), TimeUnit.MILLISECONDS),
            "spark.tfos.cluster.silenceTimeout");
    try {
      return driver.askSync(message, limit, BYTES);
    } catch (Exception e) { // Scala throws checked exceptions that no signature shows
      if (Thread.interrupted() || isInterrupt(e)) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException("The driver did not answer: " + e.getMessage(), e);
    }
  }

  private static boolean isInterrupt(Exception e) {
    return e instanceof InterruptedException || e.getCause() instanceof InterruptedException;
  }
}
