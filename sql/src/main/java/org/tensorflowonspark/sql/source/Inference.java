/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.hadoop.RecordSplit;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.sql.rows.SchemaInference;

/** Finds out the schema of files, by a Spark job that reads each of them once. On the driver. */
final class Inference {
  private static final long SMALLEST_PART = 4L << 20;

  private final SparkSession spark;
  private final JavaSparkContext context;
  private final TFRecordOptions options;

  Inference(SparkSession spark, TFRecordOptions options) {
    this.spark = spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.options = options;
  }

  /** The schema, or null when the files hold nothing to tell it from. */
  @Nullable StructType schema(List<FileStatus> listed, FileSourceOptions tolerance) {
    RecordType type = options.get(TFRecordOptions.RECORD_TYPE);
    if (type == RecordType.BYTE_ARRAY) {
      return SchemaInference.of(type, options.get(TFRecordOptions.BINARY_AS_STRING)).schema();
    }
    List<RecordSplit> parts = parts(files(listed));
    if (parts.isEmpty()) {
      return null;
    }
    SchemaInference seen = run(parts, tolerance);
    return seen.records() == 0 ? null : checkNames(seen.schema());
  }

  /** The files that are looked at: those that hold anything, or some of them at even distances. */
  private RecordFiles files(List<FileStatus> listed) {
    List<RecordFile> files = new ArrayList<>();
    for (FileStatus status : listed) {
      String path = status.getPath().toString();
      if (status.getLen() > 0) {
        files.add(
            new RecordFile(
                path, status.getLen(), status.getModificationTime(), options.compressionOf(path)));
      }
    }
    int wanted = options.get(TFRecordOptions.SAMPLE_FILES);
    if (wanted == 0 || wanted >= files.size()) {
      return new RecordFiles(files);
    }
    files.sort(Comparator.comparing(RecordFile::path));
    List<RecordFile> some = new ArrayList<>();
    for (int i = 0; i < wanted; i++) {
      some.add(files.get((int) ((long) i * files.size() / wanted)));
    }
    return new RecordFiles(some);
  }

  private List<RecordSplit> parts(RecordFiles files) {
    boolean whole =
        !options.get(TFRecordOptions.SPLITTABLE) || options.get(TFRecordOptions.LIMIT) > 0;
    long share = files.bytes() / Math.max(1, context.defaultParallelism());
    long largest = spark.sessionState().conf().filesMaxPartitionBytes();
    return files.splits(whole ? Long.MAX_VALUE : Math.min(largest, Math.max(SMALLEST_PART, share)));
  }

  private SchemaInference run(List<RecordSplit> parts, FileSourceOptions tolerance) {
    SerializableConfiguration hadoop =
        new SerializableConfiguration(spark.sessionState().newHadoopConf());
    int tasks = Math.min(parts.size(), 4 * Math.max(1, context.defaultParallelism()));
    return context
        .parallelize(parts, tasks)
        .mapPartitions(new InferenceTask(options, tolerance, context.broadcast(hadoop)))
        .reduce(Inference::merge);
  }

  private static SchemaInference merge(SchemaInference one, SchemaInference other) {
    one.merge(other);
    return one;
  }

  private StructType checkNames(StructType schema) {
    if (spark.sessionState().conf().caseSensitiveAnalysis()) {
      return schema;
    }
    Map<String, String> names = new HashMap<>();
    for (String name : schema.fieldNames()) {
      String other = names.put(name.toLowerCase(Locale.ROOT), name);
      if (other != null) {
        throw new TfosException(
            SourceError.AMBIGUOUS_NAMES,
            "The features '" + other + "' and '" + name + "' differ in case only",
            "Set spark.sql.caseSensitive to true, or give a schema with one of them.");
      }
    }
    return schema;
  }
}
