/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.base;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One option of a surface: its key, type, default and documentation, declared once. Values come as
 * text (from a Spark configuration or a command line) or as objects of the type (from a builder).
 *
 * @param <T> type of the value
 */
public final class Option<T> {
  private final String key;
  private final String type;
  private final T defaultValue;
  private final String doc;
  private final Class<T> javaType;
  private final Function<String, T> parser;
  private final Predicate<T> legal;
  private final String range;
  private final String defaultText;

  private Option(
      String key,
      String type,
      Class<T> javaType,
      T defaultValue,
      Function<String, T> parser,
      Predicate<T> legal,
      String range,
      String doc) {
    this(
        key,
        type,
        javaType,
        defaultValue,
        parser,
        legal,
        range,
        doc,
        defaultText(type, defaultValue));
  }

  private Option(
      String key,
      String type,
      Class<T> javaType,
      T defaultValue,
      Function<String, T> parser,
      Predicate<T> legal,
      String range,
      String doc,
      String defaultText) {
    this.key = key;
    this.type = type;
    this.javaType = javaType;
    this.defaultValue = defaultValue;
    this.parser = parser;
    this.legal = legal;
    this.range = range;
    this.doc = doc;
    this.defaultText = defaultText;
  }

  /** A whole number of at least {@code min}. */
  public static Option<Integer> ofInt(String key, int defaultValue, int min, String doc) {
    return new Option<>(
        key,
        "int",
        Integer.class,
        defaultValue,
        Integer::valueOf,
        v -> v >= min,
        "at least " + min,
        doc);
  }

  /** True or false. */
  public static Option<Boolean> ofBoolean(String key, boolean defaultValue, String doc) {
    return new Option<>(
        key,
        "boolean",
        Boolean.class,
        defaultValue,
        Option::parseBoolean,
        v -> true,
        "true or false",
        doc);
  }

  /** Any text. */
  public static Option<String> ofString(String key, String defaultValue, String doc) {
    return new Option<>(
        key, "string", String.class, defaultValue, s -> s, v -> true, "any text", doc);
  }

  /** A length of time, written as Spark does: {@code 500ms}, {@code 10s}, {@code 2min}. */
  public static Option<Duration> ofDuration(String key, String defaultValue, String doc) {
    return new Option<>(
        key,
        "duration",
        Duration.class,
        parseDuration(defaultValue),
        Option::parseDuration,
        v -> !v.isNegative() && !v.isZero(),
        "a time above zero such as 500ms, 10s or 2min",
        doc);
  }

  /** A number of bytes, written as Spark does: {@code 64m}, {@code 1g}. */
  public static Option<Long> ofBytes(String key, String defaultValue, String doc) {
    return new Option<>(
        key,
        "bytes",
        Long.class,
        parseBytes(defaultValue),
        Option::parseBytes,
        v -> v > 0,
        "a size above zero such as 512k, 64m or 1g",
        doc);
  }

  /** A number of bytes of at most {@code max}. */
  public static Option<Long> ofBytes(String key, String defaultValue, long max, String doc) {
    return new Option<>(
        key,
        "bytes",
        Long.class,
        parseBytes(defaultValue),
        Option::parseBytes,
        v -> v > 0 && v <= max,
        "a size above zero and of at most " + max + " bytes, such as 512k, 64m or 1g",
        doc);
  }

  /** A number from {@code min} to {@code max}, both included. */
  public static Option<Double> ofDouble(
      String key, double defaultValue, double min, double max, String doc) {
    return new Option<>(
        key,
        "double",
        Double.class,
        defaultValue,
        Double::valueOf,
        v -> v >= min && v <= max,
        "a number from " + min + " to " + max,
        doc);
  }

  /**
   * One of some constants of an enum, by name, whatever the case of its letters.
   *
   * @param name the name under which users know a constant
   */
  public static <E extends Enum<E>> Option<E> ofEnum(
      String key, E defaultValue, List<E> values, Function<E, String> name, String doc) {
    return new Option<>(
        key,
        "name",
        defaultValue.getDeclaringClass(),
        defaultValue,
        text -> parseName(text, values, name),
        values::contains,
        "one of " + values.stream().map(name).collect(Collectors.joining(", ")),
        doc,
        name.apply(defaultValue));
  }

  /** The full key, such as {@code spark.tfos.feed.queueBytes}. */
  public String key() {
    return key;
  }

  /** Name of the type as documented. */
  public String type() {
    return type;
  }

  /** The value when nobody sets one. */
  public T defaultValue() {
    return defaultValue;
  }

  /** What it does, for the user. */
  public String doc() {
    return doc;
  }

  T read(Object value) {
    T parsed;
    try {
      parsed = value instanceof String s ? parser.apply(s.trim()) : javaType.cast(value);
    } catch (RuntimeException e) {
      throw invalid(value, e);
    }
    if (!legal.test(parsed)) {
      throw invalid(value, null);
    }
    return parsed;
  }

  private TfosException invalid(
      Object value, @org.jspecify.annotations.Nullable RuntimeException e) {
    return new TfosException(
        OptionError.INVALID_VALUE,
        "Option " + key + " is '" + value + "'",
        "Give it " + range + ".",
        e);
  }

  String defaultText() {
    return defaultText;
  }

  private static String defaultText(String type, Object defaultValue) {
    if (defaultValue instanceof Duration d) {
      return d.toMillis() % 1000 == 0 ? d.toSeconds() + "s" : d.toMillis() + "ms";
    }
    if (type.equals("bytes")) {
      long bytes = (Long) defaultValue;
      return bytes % (1L << 20) == 0
          ? (bytes >> 20) + "m"
          : bytes % 1024 == 0 ? (bytes >> 10) + "k" : Long.toString(bytes);
    }
    return String.valueOf(defaultValue);
  }

  private static Boolean parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private static <E> E parseName(String text, List<E> values, Function<E, String> name) {
    return values.stream()
        .filter(value -> name.apply(value).equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("none of the names"));
  }

  private static Duration parseDuration(String text) {
    int digits = digits(text);
    long number = Long.parseLong(text.substring(0, digits));
    return switch (text.substring(digits).trim().toLowerCase(Locale.ROOT)) {
      case "ms" -> Duration.ofMillis(number);
      case "s", "" -> Duration.ofSeconds(number);
      case "m", "min" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> throw new IllegalArgumentException("unknown unit of time");
    };
  }

  private static Long parseBytes(String text) {
    int digits = digits(text);
    long number = Long.parseLong(text.substring(0, digits));
    int shift =
        switch (text.substring(digits).trim().toLowerCase(Locale.ROOT)) {
          case "", "b" -> 0;
          case "k", "kb" -> 10;
          case "m", "mb" -> 20;
          case "g", "gb" -> 30;
          case "t", "tb" -> 40;
          default -> throw new IllegalArgumentException("unknown unit of size");
        };
    return Math.multiplyExact(number, 1L << shift);
  }

  private static int digits(String text) {
    int n = 0;
    while (n < text.length() && Character.isDigit(text.charAt(n))) {
      n++;
    }
    return n;
  }
}
