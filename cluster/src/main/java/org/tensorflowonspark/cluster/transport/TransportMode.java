/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.util.Locale;
import org.tensorflowonspark.base.TfosException;

/** Which transport a pair of nodes uses: the value of {@code spark.tfos.transport}. */
public enum TransportMode {
  /** A Unix socket within a host, TCP otherwise. */
  AUTO,
  /** Only Unix sockets; a pair on two hosts fails. For tests and benchmarks. */
  UNIX,
  /** Only TCP. */
  TCP;

  /** The mode written as {@code auto}, {@code unix} or {@code tcp}. */
  public static TransportMode parse(String text) {
    for (TransportMode mode : values()) {
      if (mode.name().equals(text.trim().toUpperCase(Locale.ROOT))) {
        return mode;
      }
    }
    throw new TfosException(
        TransportError.INVALID_SETTING,
        "Transport is '" + text + "'",
        "Use auto, unix or tcp for spark.tfos.transport.");
  }
}
