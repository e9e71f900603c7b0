/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.compat;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * Reads {@code struct<name:type,...>} as {@code StructType.simpleString} writes it. Spark's own
 * parser wants backticks around most names; here a name is whatever stands before the colon.
 */
final class TypeParser {
  /** Deeper than any feature list, and far from the end of the stack. */
  private static final int MAX_DEPTH = 32;

  /** Letters of a text in an error. */
  private static final int SHOWN = 200;

  private final String text;
  private int at;

  private TypeParser(String text) {
    this.text = text;
  }

  static StructType parse(String text) {
    TypeParser parser = new TypeParser(text);
    DataType type = parser.type(0);
    parser.skipBlanks();
    if (parser.at < text.length()) {
      throw parser.malformed("nothing should follow");
    }
    if (!(type instanceof StructType struct)) {
      throw parser.malformed("it is no struct");
    }
    return struct;
  }

  private DataType type(int depth) {
    if (depth > MAX_DEPTH) {
      throw malformed("types are nested deeper than " + MAX_DEPTH);
    }
    skipBlanks();
    if (takes("struct<")) {
      return struct(depth);
    }
    if (takes("array<")) {
      DataType element = type(depth + 1);
      expect('>');
      return new ArrayType(element, true);
    }
    return atom();
  }

  private StructType struct(int depth) {
    List<StructField> fields = new ArrayList<>();
    skipBlanks();
    if (takes(">")) {
      return new StructType();
    }
    do {
      String name = name();
      fields.add(new StructField(name, type(depth + 1), true, Metadata.empty()));
      skipBlanks();
    } while (takes(","));
    expect('>');
    return new StructType(fields.toArray(StructField[]::new));
  }

  private String name() {
    skipBlanks();
    if (takes("`")) {
      return quoted();
    }
    int colon = text.indexOf(':', at);
    String name = colon < 0 ? "" : text.substring(at, colon).strip();
    if (name.isEmpty() || name.matches(".*[<>,].*")) {
      throw malformed("a name and a colon should follow");
    }
    at = colon + 1;
    return name;
  }

  /** A name in backticks may hold anything, a backtick when it is doubled. */
  private String quoted() {
    StringBuilder name = new StringBuilder();
    while (at < text.length()) {
      if (takes("``")) {
        name.append('`');
      } else if (takes("`")) {
        expect(':');
        return name.toString();
      } else {
        name.append(text.charAt(at++));
      }
    }
    throw malformed("a backtick is missing");
  }

  /** A type without angle brackets, which Spark's parser knows: {@code decimal(10,2)}. */
  private DataType atom() {
    int end = at;
    int parentheses = 0;
    while (end < text.length() && (parentheses > 0 || ",>".indexOf(text.charAt(end)) < 0)) {
      char c = text.charAt(end++);
      parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    String name = text.substring(at, end).strip();
    try {
      DataType type = DataType.fromDDL(name);
      // Spark also takes a list of columns for a type.
      if (!(type instanceof StructType)) {
        at = end;
        return type;
      }
    } catch (Exception e) { // a checked one that Spark's method does not declare
      throw malformed("'" + name + "' is no type", e);
    }
    throw malformed("'" + name + "' is no type");
  }

  private boolean takes(String token) {
    if (!text.regionMatches(true, at, token, 0, token.length())) {
      return false;
    }
    at += token.length();
    return true;
  }

  private void expect(char c) {
    skipBlanks();
    if (!takes(String.valueOf(c))) {
      throw malformed("'" + c + "' should follow");
    }
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private TfosException malformed(String reason) {
    return malformed(reason, null);
  }

  private TfosException malformed(String reason, @Nullable Exception cause) {
    return new TfosException(
        CompatError.MALFORMED_TYPE,
        "Cannot read the type '" + shown() + "': at letter " + (at + 1) + ", " + reason,
        "Write struct<name:type,...>, as StructType.simpleString does.",
        cause);
  }

  private String shown() {
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
  }
}
