/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.files;

/** The mixing step of SplitMix64 (Steele, Lea, Flood, 2014): near numbers give unlike ones. */
final class Mix {
  private Mix() {}

  static long of(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  static long of(String text) {
    long hash = 1;
    for (int i = 0; i < text.length(); i++) {
      hash = of(hash + text.charAt(i));
    }
    return hash;
  }
}
