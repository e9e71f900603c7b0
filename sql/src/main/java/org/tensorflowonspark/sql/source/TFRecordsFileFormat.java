/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

/** The same under the name of TensorFlow's own connector for older Spark, {@code tfrecords}. */
public final class TFRecordsFileFormat extends TFRecordFileFormat {

  @Override
  public String shortName() {
    return "tfrecords";
  }
}
