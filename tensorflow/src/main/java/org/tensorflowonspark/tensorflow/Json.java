/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON document: objects as ordered maps, arrays as lists, numbers as doubles. Small on
 * purpose: the one file that it reads is our own.
 */
final class Json {
  private static final int MAX_DEPTH = 64;

  private final String text;
  private int at;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /** Fails with IllegalArgumentException naming the position. */
  static @Nullable Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.space();
    if (json.at < text.length()) {
      throw json.bad("the end");
    }
    return value;
  }

  /** A string as JSON. */
  static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private @Nullable Object value() {
    space();
    if (++depth > MAX_DEPTH) {
      throw bad("less nesting");
    }
    Object value =
        switch (peek()) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> string();
          case 't' -> word("true", true);
          case 'f' -> word("false", false);
          case 'n' -> word("null", null);
          default -> number();
        };
    depth--;
    return value;
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    expect('{');
    if (!accept('}')) {
      do {
        space();
        String name = string();
        expect(':');
        members.put(name, value());
      } while (accept(','));
      expect('}');
    }
    return members;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> items = new ArrayList<>();
    expect('[');
    if (!accept(']')) {
      do {
        items.add(value());
      } while (accept(','));
      expect(']');
    }
    return items;
  }

  private String string() {
    if (peek() != '"') {
      throw bad("a string");
    }
    at++;
    StringBuilder out = new StringBuilder();
    while (peek() != '"') {
      char c = text.charAt(at++);
      out.append(c == '\\' ? escape() : c);
    }
    at++;
    return out.toString();
  }

  private char escape() {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 > text.length()) {
          throw bad("four hexadecimal digits");
        }
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> throw bad("an escape");
    };
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw bad("a value");
    }
    at += word.length();
    return value;
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (start == at) {
      throw bad("a value");
    }
    return Double.valueOf(text.substring(start, at));
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw bad("'" + c + "'");
    }
  }

  private boolean accept(char c) {
    space();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw bad("more");
    }
    return text.charAt(at);
  }

  private IllegalArgumentException bad(String expected) {
    return new IllegalArgumentException("Expected " + expected + " at character " + at);
  }
}
