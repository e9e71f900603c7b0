/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.files;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;

/**
 * TFRecord files that the nodes of a cluster read themselves, each its share, so that each record
 * is read by exactly one of them. Immutable; made on the driver or in a program.
 *
 * <pre>{@code
 * TFRecordInput.of("hdfs:///mnist/train").skipDamaged()
 * }</pre>
 *
 * @param paths files, directories (with their subdirectories) and glob patterns of any file system
 *     that Hadoop knows
 * @param recordType what the records are
 * @param schema columns and their types; null: those that the tensors want, as the first record has
 *     them
 * @param skipsDamaged whether damage and records that do not fit are passed over and counted in the
 *     log instead of ending the program
 * @param checkCrc whether the checksums of data are checked
 * @param sampleFrom records whose place, by the seed, is from here ...
 * @param sampleTo ... to here are taken: a part of all, which are 0 to 1
 * @param sampleSeed seed of that choice
 * @param files the files, once somebody has listed them for all nodes
 */
public record TFRecordInput(
    List<String> paths,
    RecordType recordType,
    @Nullable StructType schema,
    boolean skipsDamaged,
    boolean checkCrc,
    double sampleFrom,
    double sampleTo,
    long sampleSeed,
    @Nullable RecordFiles files)
    implements Serializable {

  /** Copies the paths and checks them. */
  public TFRecordInput {
    paths = List.copyOf(paths);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("No path to TFRecord files");
    }
  }

  /** Files of Examples. */
  public static TFRecordInput of(String... paths) {
    return new TFRecordInput(List.of(paths), RecordType.EXAMPLE, null, false, true, 0, 1, 0, null);
  }

  /** The same at other paths. */
  public TFRecordInput withPaths(List<String> others) {
    return new TFRecordInput(
        others, recordType, schema, skipsDamaged, checkCrc, sampleFrom, sampleTo, sampleSeed, null);
  }

  /** The same files, read as records of another type. */
  public TFRecordInput withRecordType(RecordType type) {
    return new TFRecordInput(
        paths, type, schema, skipsDamaged, checkCrc, sampleFrom, sampleTo, sampleSeed, files);
  }

  /** The same with these columns, which are the features of the same names. */
  public TFRecordInput withSchema(StructType columns) {
    return new TFRecordInput(
        paths,
        recordType,
        columns,
        skipsDamaged,
        checkCrc,
        sampleFrom,
        sampleTo,
        sampleSeed,
        files);
  }

  /** The same, passing over damage and records that do not fit; the log counts them by file. */
  public TFRecordInput skipDamaged() {
    return new TFRecordInput(
        paths, recordType, schema, true, checkCrc, sampleFrom, sampleTo, sampleSeed, files);
  }

  /** The same without checks of the data's checksums; lengths are always checked. */
  public TFRecordInput withoutCrc() {
    return new TFRecordInput(
        paths, recordType, schema, skipsDamaged, false, sampleFrom, sampleTo, sampleSeed, files);
  }

  /**
   * A part of the records: each has a place between 0 and 1 that depends on its file, its offset
   * and the seed alone, and those from {@code from} up to {@code to} are taken. Parts that do not
   * overlap have no record in common.
   */
  public TFRecordInput sample(double from, double to, long seed) {
    if (!(from >= 0 && from < to && to <= 1)) {
      throw new IllegalArgumentException("A part from " + from + " to " + to + " of all records");
    }
    return new TFRecordInput(
        paths, recordType, schema, skipsDamaged, checkCrc, from, to, seed, files);
  }

  /**
   * The same with its files listed now, so that all nodes read the same ones.
   *
   * @throws TfosException when a path leads nowhere or there is no file at all
   */
  public TFRecordInput listed(Configuration hadoop) {
    RecordFiles found;
    try {
      found = RecordFiles.list(hadoop, paths);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + paths, e);
    }
    if (found.files().isEmpty()) {
      throw new TfosException(
          ClusterError.NO_FILES,
          "There is no TFRecord file at " + String.join(", ", paths),
          "Check the path; names that begin with a dot or an underscore do not count.");
    }
    return new TFRecordInput(
        paths, recordType, schema, skipsDamaged, checkCrc, sampleFrom, sampleTo, sampleSeed, found);
  }

  ReadOptions readOptions() {
    return ReadOptions.of(Compression.NONE).withCheckCrc(checkCrc);
  }

  /** Whether the record at {@code position} of the file with this hash is taken. */
  boolean takes(long fileHash, long position) {
    if (sampleFrom == 0 && sampleTo == 1) {
      return true;
    }
    long bits = Mix.of(Mix.of(sampleSeed ^ fileHash) + position);
    double place = (bits >>> 11) * 0x1.0p-53;
    return place >= sampleFrom && place < sampleTo;
  }
}
