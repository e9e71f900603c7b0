/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

/** UTF-8 as protobuf demands it of strings: shortest form only, and no surrogates. */
final class Utf8 {
  private Utf8() {}

  static boolean isValid(byte[] b, int from, int to) {
    int at = from;
    while (at < to) {
      int first = b[at];
      if (first >= 0) {
        at++;
        continue;
      }
      int length = first < (byte) 0xe0 ? 2 : first < (byte) 0xf0 ? 3 : 4;
      // A first byte beyond these begins nothing, or something that has a shorter form.
      if (first < (byte) 0xc2 || first > (byte) 0xf4 || length > to - at) {
        return false;
      }
      for (int i = 1; i < length; i++) {
        if (b[at + i] > (byte) 0xbf) {
          return false;
        }
      }
      if (!isSecond(first & 0xff, b[at + 1] & 0xff)) {
        return false;
      }
      at += length;
    }
    return true;
  }

  /** Whether the first two bytes stand neither for a surrogate nor for too little or too much. */
  private static boolean isSecond(int first, int second) {
    return switch (first) {
      case 0xe0 -> second >= 0xa0;
      case 0xed -> second < 0xa0;
      case 0xf0 -> second >= 0x90;
      case 0xf4 -> second < 0x90;
      default -> true;
    };
  }
}
