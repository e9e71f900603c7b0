/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflowonspark.base.ErrorCode;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.sql.source.TFRecordOptions;

/**
 * The pages of the documentation, and what the code says that stands in them between marks: {@code
 * <!-- from: example TrainMnist short -->}, {@code <!-- from: options -->}, {@code <!-- from:
 * options tfrecord -->} or {@code <!-- from: errors -->}, up to {@code <!-- end -->}.
 */
final class Docs {
  static final Path ROOT = Path.of(System.getProperty("tfos.root", "..")).toAbsolutePath();

  private static final Pattern MARKED =
      Pattern.compile("(<!-- from: ([^>]+?) -->\n).*?(<!-- end -->)", Pattern.DOTALL);

  private Docs() {}

  /** The pages, by their path in the repository. */
  static List<String> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md"),
              docs.filter(file -> file.toString().endsWith(".md"))
                  .map(file -> ROOT.relativize(file).toString())
                  .sorted())
          .toList();
    }
  }

  static String read(String page) throws IOException {
    return Files.readString(ROOT.resolve(page));
  }

  /** The page as it should be. */
  static String filled(String page) throws IOException {
    Matcher marked = MARKED.matcher(read(page));
    StringBuilder text = new StringBuilder();
    while (marked.find()) {
      String block = marked.group(1) + content(marked.group(2)) + marked.group(3);
      marked.appendReplacement(text, Matcher.quoteReplacement(block));
    }
    return marked.appendTail(text).toString();
  }

  /** The page without what stands between marks. */
  static String unmarked(String page) throws IOException {
    return MARKED.matcher(read(page)).replaceAll("");
  }

  private static String content(String source) throws IOException {
    String[] words = source.split(" ", -1);
    return switch (words[0]) {
      case "options" -> options(words.length > 1 ? words[1] : "cluster");
      case "errors" -> errors();
      case "example" -> "```java\n" + region(words[1], words[2]) + "```\n";
      default -> throw new IllegalArgumentException("Nothing is made from '" + source + "'");
    };
  }

  private static String options(String surface) {
    return switch (surface) {
      case "cluster" -> ClusterOptions.TABLE.toMarkdown();
      case "tfrecord" -> TFRecordOptions.TABLE.toMarkdown();
      default -> throw new IllegalArgumentException("There are no options of '" + surface + "'");
    };
  }

  /** The lines of an example between {@code // doc: name} and {@code // doc: end}. */
  private static String region(String example, String name) throws IOException {
    Path file =
        ROOT.resolve("examples/src/main/java/org/tensorflowonspark/examples/" + example + ".java");
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(file)) {
      if (line.strip().equals("// doc: " + name)) {
        inside = true;
      } else if (inside && line.strip().equals("// doc: end")) {
        return String.join("\n", lines).stripTrailing().stripIndent() + "\n";
      } else if (inside) {
        lines.add(line);
      }
    }
    throw new IllegalArgumentException("No finished '// doc: " + name + "' in " + file);
  }

  /** A table for each area of all error codes that the class path has. */
  private static String errors() {
    Map<String, List<ErrorCode>> byArea = new TreeMap<>();
    for (JavaClass found :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(file -> file.contains("Error"))
            .importPackages("org.tensorflowonspark")) {
      if (found.isEnum() && found.isAssignableTo(ErrorCode.class)) {
        for (Object code : found.reflect().getEnumConstants()) {
          ErrorCode error = (ErrorCode) code;
          byArea.computeIfAbsent(error.area(), area -> new ArrayList<>()).add(error);
        }
      }
    }
    return byArea.values().stream().map(Docs::table).collect(Collectors.joining("\n"));
  }

  private static String table(List<ErrorCode> area) {
    area.sort(Comparator.comparingInt(ErrorCode::number));
    return "## "
        + area.get(0).area()
        + "\n\n| code | what it means |\n|---|---|\n"
        + area.stream()
            .map(error -> "| `" + error.code() + "` | " + error.meaning() + " |\n")
            .collect(Collectors.joining());
  }
}
