/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.tensorflowonspark.base.Option;
import org.tensorflowonspark.base.OptionError;
import org.tensorflowonspark.base.OptionTable;
import org.tensorflowonspark.base.OptionValues;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.ReadOptions;

/** What a Hadoop configuration says of TFRecord files. */
final class TFRecordSettings {
  private static final String PREFIX = "tfos.tfrecord.";

  static final Option<Boolean> CHECK_CRC =
      Option.ofBoolean(
          PREFIX + "checkCrc", true, "whether the data of records is checked; lengths always are");
  static final Option<Integer> MAX_RECORD_LENGTH =
      Option.ofInt(
          PREFIX + "maxRecordLength",
          ReadOptions.DEFAULT_MAX_RECORD_LENGTH,
          0,
          "longest record that is taken for one, in bytes");

  /** Empty: as Hadoop's own keys say. */
  static final Option<String> COMPRESSION =
      Option.ofString(
          PREFIX + "compression", "", "compression of files written: none, gzip or zlib");

  static final OptionTable TABLE =
      OptionTable.of(PREFIX, CHECK_CRC, MAX_RECORD_LENGTH, COMPRESSION);

  private TFRecordSettings() {}

  static OptionValues resolve(Configuration configuration) {
    Map<String, String> ours = new HashMap<>();
    for (Map.Entry<String, String> entry : configuration.getPropsWithPrefix(PREFIX).entrySet()) {
      ours.put(PREFIX + entry.getKey(), entry.getValue());
    }
    return TABLE.resolve(Map.of(), ours);
  }

  static ReadOptions readOptions(Configuration configuration, Compression compression) {
    OptionValues values = resolve(configuration);
    return ReadOptions.of(compression)
        .withCheckCrc(values.get(CHECK_CRC))
        .withMaxRecordLength(values.get(MAX_RECORD_LENGTH));
  }

  static Compression compression(String named) {
    for (Compression compression : Compression.values()) {
      if (compression.name().equalsIgnoreCase(named)) {
        return compression;
      }
    }
    throw new TfosException(
        OptionError.INVALID_VALUE,
        "Invalid value '" + named + "' for " + COMPRESSION.key(),
        "It is none, gzip or zlib.");
  }
}
