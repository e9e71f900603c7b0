/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.base.TfosException;

/** Columns whose features must be in every record. */
final class RequiredColumns {
  private RequiredColumns() {}

  /**
   * {@code schema} with the columns that {@code names} lists made not nullable, others nullable.
   */
  static StructType mark(StructType schema, String names) {
    boolean all = names.strip().equals("*");
    Set<String> required = all ? Set.of() : split(names);
    StructType marked = new StructType();
    for (StructField field : schema.fields()) {
      marked =
          marked.add(
              new StructField(
                  field.name(),
                  field.dataType(),
                  !all && !required.contains(field.name()),
                  field.metadata()));
    }
    return marked;
  }

  /** Fails for a name that is no column of {@code schema}. */
  static void check(StructType schema, String names) {
    if (names.strip().equals("*")) {
      return;
    }
    List<String> columns = Arrays.asList(schema.fieldNames());
    for (String name : split(names)) {
      if (!columns.contains(name)) {
        String near = OptionTable.nearest(name, columns);
        throw new TfosException(
            SourceError.UNKNOWN_COLUMN,
            "Option requiredFeatures names '" + name + "', which is no column",
            near == null
                ? "The columns are " + String.join(", ", columns) + "."
                : "Did you mean '" + near + "'?");
      }
    }
  }

  private static Set<String> split(String names) {
    Set<String> set = new LinkedHashSet<>();
    for (String name : names.split(",", -1)) {
      if (!name.isBlank()) {
        set.add(name.strip());
      }
    }
    return set;
  }
}
