/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.tensorflow.internal.c_api.TF_CheckpointReader;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.DataType;

/** What TensorFlow's files of variables hold, without reading the values. */
public final class NativeCheckpoint {
  private NativeCheckpoint() {}

  /**
   * Type and shape of each tensor by its key, such as {@code DT_FLOAT[3, 1]}.
   *
   * @param prefix path of the files without {@code .index}
   */
  public static Map<String, String> contents(String prefix) {
    try (Status status = new Status()) {
      TF_CheckpointReader reader = tensorflow.TF_NewCheckpointReader(prefix, status.handle());
      status.check();
      try {
        Map<String, String> contents = new TreeMap<>();
        for (int i = 0; i < tensorflow.TF_CheckpointReaderSize(reader); i++) {
          String key = tensorflow.TF_CheckpointReaderGetVariable(reader, i).getString();
          long[] dims = new long[tensorflow.TF_CheckpointReaderGetVariableNumDims(reader, key)];
          tensorflow.TF_CheckpointReaderGetVariableShape(
              reader, key, dims, dims.length, status.handle());
          status.check();
          DataType type =
              DataType.forNumber(tensorflow.TF_CheckpointReaderGetVariableDataType(reader, key));
          contents.put(key, type + Arrays.toString(dims));
        }
        return contents;
      } finally {
        tensorflow.TF_DeleteCheckpointReader(reader);
      }
    }
  }
}
