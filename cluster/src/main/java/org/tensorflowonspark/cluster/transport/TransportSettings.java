/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a transport is to work; immutable. Serialisable, so that feed tasks can carry it: it holds no
 * secret.
 */
public final class TransportSettings implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long DEFAULT_MESSAGE_BYTES = 256L << 20;

  private final TransportMode mode;
  private final long maxMessageBytes;
  private final TreeMap<String, String> spark;

  private TransportSettings(TransportMode mode, long maxMessageBytes, Map<String, String> spark) {
    this.mode = mode;
    this.maxMessageBytes = maxMessageBytes;
    this.spark = new TreeMap<>(spark);
  }

  /**
   * Settings that follow Spark's.
   *
   * @param sparkConf the session's configuration; only {@code spark.network.*} and the switch for
   *     SASL encryption are kept, secrets are not
   */
  public static TransportSettings of(Map<String, String> sparkConf) {
    TreeMap<String, String> kept = new TreeMap<>();
    sparkConf.forEach(
        (key, value) -> {
          if (key.startsWith("spark.network.")
              || key.equals("spark.authenticate.enableSaslEncryption")) {
            kept.put(key, value);
          }
        });
    return new TransportSettings(TransportMode.AUTO, DEFAULT_MESSAGE_BYTES, kept);
  }

  /** The same with another choice of transport. */
  public TransportSettings withMode(TransportMode newMode) {
    return new TransportSettings(newMode, maxMessageBytes, spark);
  }

  /** The same with another cap for the size of one request or answer; 2^31 - 1024 at most. */
  public TransportSettings withMaxMessageBytes(long bytes) {
    if (bytes <= 0 || bytes > Integer.MAX_VALUE - 1024) {
      throw new IllegalArgumentException("Invalid cap for messages: " + bytes);
    }
    return new TransportSettings(mode, bytes, spark);
  }

  TransportMode mode() {
    return mode;
  }

  long maxMessageBytes() {
    return maxMessageBytes;
  }

  Map<String, String> spark() {
    return Map.copyOf(spark);
  }

  boolean encrypted() {
    return isTrue("spark.network.crypto.enabled")
        || isTrue("spark.authenticate.enableSaslEncryption");
  }

  boolean sparkCrypto() {
    return isTrue("spark.network.crypto.enabled");
  }

  private boolean isTrue(String key) {
    return Boolean.parseBoolean(spark.getOrDefault(key, "false"));
  }
}
