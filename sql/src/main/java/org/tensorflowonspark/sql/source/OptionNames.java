/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.tensorflowonspark.base.Option;
import org.tensorflowonspark.base.OptionError;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.base.TfosException;

/** Tells the options of this source from those that Spark has for every file source. */
final class OptionNames {

  /** Options of Spark's file sources, file streams and file sinks. */
  private static final List<String> SPARK =
      List.of(
          "path",
          "paths",
          "basePath",
          "pathGlobFilter",
          "recursiveFileLookup",
          "modifiedBefore",
          "modifiedAfter",
          "ignoreCorruptFiles",
          "ignoreMissingFiles",
          "ignoreInvalidPartitionPaths",
          "mergeSchema",
          "timeZone",
          "returning_batch",
          "partitionOverwriteMode",
          "maxRecordsPerFile",
          "maxFilesPerTrigger",
          "maxBytesPerTrigger",
          "maxFileAge",
          "maxCachedFiles",
          "discardCachedInputRatio",
          "latestFirst",
          "fileNameOnly",
          "cleanSource",
          "sourceArchiveDir",
          "retention",
          "checkpointLocation",
          "queryName");

  private static final Set<String> SPARK_LOWER = Set.copyOf(lower(SPARK));

  private OptionNames() {}

  /**
   * The options of this source among those given, under their documented names.
   *
   * @throws TfosException for a name that nobody has
   */
  static Map<String, String> ours(Map<String, String> given, OptionTable table) {
    Map<String, String> known = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (Option<?> option : table.options()) {
      known.put(option.key(), option.key());
    }
    Map<String, String> ours = new HashMap<>();
    given.forEach(
        (key, value) -> {
          String name = known.get(key);
          if (name != null) {
            ours.put(name, value);
          } else {
            checkForeign(key, known.keySet());
          }
        });
    return ours;
  }

  private static void checkForeign(String key, Collection<String> known) {
    if (SPARK_LOWER.contains(key.toLowerCase(Locale.ROOT)) || key.startsWith("__")) {
      return;
    }
    // Settings of Hadoop and properties that a catalog adds have dots.
    boolean mayBeOthers = key.indexOf('.') >= 0;
    List<String> all = new ArrayList<>(known);
    if (!mayBeOthers) {
      all.addAll(SPARK);
    }
    String near = OptionTable.nearest(key, all);
    if (near == null && mayBeOthers) {
      return;
    }
    throw new TfosException(
        OptionError.UNKNOWN_OPTION,
        "The data source tfrecord has no option '" + key + "'",
        near == null ? "It has " + String.join(", ", known) + "." : "Did you mean '" + near + "'?");
  }

  private static List<String> lower(List<String> names) {
    return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
  }
}
