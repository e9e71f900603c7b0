/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/**
 * What {@code assets.extra/trainable.json} says beyond the graph: mainly names and their order. A
 * list that the file does not have is empty.
 *
 * @param variables trainable ones, in the order of the gradients
 */
record Metadata(
    List<String> inputs,
    List<String> labels,
    List<String> outputs,
    List<String> metrics,
    List<TensorSpec> variables,
    List<String> optimizerState,
    @Nullable String learningRate) {

  static final Path FILE = Path.of("assets.extra", "trainable.json");
  static final int FORMAT = 1;
  private static final Metadata NONE =
      new Metadata(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), null);

  static Metadata read(Path directory) {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return NONE;
    }
    try {
      return parse(Files.readString(file));
    } catch (IOException | IllegalArgumentException | ClassCastException e) {
      throw new TfosException(
          ModelError.BAD_METADATA,
          file + " cannot be read: " + e.getMessage(),
          "Export the model again with tensorflowonspark_export, or delete the file: names then"
              + " come from the signatures.",
          e);
    }
  }

  static Metadata parse(String text) {
    if (!(Json.parse(text) instanceof Map<?, ?> root)) {
      throw new IllegalArgumentException("Not a JSON object");
    }
    if (!(root.get("format") instanceof Double format) || format != FORMAT) {
      throw new IllegalArgumentException(
          "Format " + root.get("format") + " where " + FORMAT + " is understood");
    }
    List<TensorSpec> variables = new ArrayList<>();
    for (Object item : list(root, "variables")) {
      variables.add(variable((Map<?, ?>) item));
    }
    return new Metadata(
        strings(root, "inputs"),
        strings(root, "labels"),
        strings(root, "outputs"),
        strings(root, "metrics"),
        List.copyOf(variables),
        strings(root, "optimizer_state"),
        (String) root.get("learning_rate"));
  }

  private static TensorSpec variable(Map<?, ?> item) {
    long[] shape = list(item, "shape").stream().mapToLong(d -> ((Double) d).longValue()).toArray();
    return TensorSpec.of(
        String.valueOf(item.get("name")), DType.parse(String.valueOf(item.get("dtype"))), shape);
  }

  private static List<?> list(Map<?, ?> from, String name) {
    return from.get(name) instanceof List<?> found ? found : List.of();
  }

  private static List<String> strings(Map<?, ?> from, String name) {
    return list(from, name).stream().map(String.class::cast).toList();
  }

  /** As {@link #parse} reads it. */
  String toJson() {
    StringBuilder out = new StringBuilder("{\n  \"format\": ").append(FORMAT);
    member(out, "inputs", quoted(inputs));
    member(out, "labels", quoted(labels));
    member(out, "outputs", quoted(outputs));
    member(out, "metrics", quoted(metrics));
    List<String> described = new ArrayList<>();
    for (TensorSpec v : variables) {
      described.add(
          "{\"name\": "
              + Json.quote(v.name())
              + ", \"dtype\": "
              + Json.quote(v.dtype().text())
              + ", \"shape\": "
              + v.shape()
              + "}");
    }
    member(out, "variables", described.toString());
    member(out, "optimizer_state", quoted(optimizerState));
    if (learningRate != null) {
      member(out, "learning_rate", Json.quote(learningRate));
    }
    return out.append("\n}\n").toString();
  }

  private static void member(StringBuilder out, String name, String value) {
    out.append(",\n  ").append(Json.quote(name)).append(": ").append(value);
  }

  private static String quoted(List<String> names) {
    return names.stream().map(Json::quote).toList().toString();
  }
}
