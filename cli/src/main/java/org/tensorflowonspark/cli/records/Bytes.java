/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bytes that may be text, to be shown. */
final class Bytes {
  private static final int LONGEST_TEXT = 60;
  private static final int LONGEST_HEX = 16;

  private Bytes() {}

  /** For people: text in quotes, else the first bytes in hexadecimal digits; with the length. */
  static String text(byte[] bytes) {
    String text = decoded(bytes);
    if (text == null || text.chars().anyMatch(c -> Character.isISOControl(c) && c != '\n')) {
      int shown = Math.min(bytes.length, LONGEST_HEX);
      String hex = HexFormat.of().formatHex(bytes, 0, shown);
      String more = shown < bytes.length ? "..." : "";
      return String.format(Locale.ROOT, "0x%s%s (%s)", hex, more, length(bytes));
    }
    String line = text.replace("\n", "\\n");
    if (line.codePointCount(0, line.length()) <= LONGEST_TEXT) {
      return '"' + line + '"';
    }
    int cut = line.offsetByCodePoints(0, LONGEST_TEXT);
    return String.format(Locale.ROOT, "\"%s...\" (%s)", line.substring(0, cut), length(bytes));
  }

  /** For programs: a string when it is UTF-8, else an object with base64, so that none is lost. */
  static Object json(byte[] bytes) {
    String text = decoded(bytes);
    return text == null ? Map.of("base64", Base64.getEncoder().encodeToString(bytes)) : text;
  }

  private static String length(byte[] bytes) {
    return Sizes.counted(bytes.length, "byte");
  }

  private static @Nullable String decoded(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
