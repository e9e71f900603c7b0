/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON objects, one a line. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  static Json object() {
    return new Json();
  }

  /** Adds a field: text, number, boolean, null, or arrays, lists and maps of these. */
  Json with(String name, @Nullable Object value) {
    fields.put(name, value instanceof Json object ? object.fields : value);
    return this;
  }

  Map<String, @Nullable Object> fields() {
    return fields;
  }

  @Override
  public String toString() {
    try {
      return MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // only what has a place in JSON is put in
    }
  }
}
