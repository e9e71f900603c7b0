/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.tensorflowonspark.tfrecord.Compression;
import org.tensorflowonspark.tfrecord.RecordWriter;

/** Makes TFRecord files on any Hadoop file system. */
public final class RecordOutput {
  private RecordOutput() {}

  /**
   * Makes a file; the caller closes the writer. Readers must not find the file before it is closed:
   * {@code path} is that of a task's attempt, which a committer moves to its place.
   *
   * @param overwrite whether a file that is there is replaced; otherwise it is an error
   */
  public static RecordWriter create(
      Configuration configuration, Path path, Compression compression, boolean overwrite)
      throws IOException {
    FileSystem fileSystem = path.getFileSystem(configuration);
    FSDataOutputStream out = fileSystem.create(path, overwrite);
    try {
      return RecordWriter.to(out, compression);
    } catch (IOException | RuntimeException e) {
      HadoopSource.close(out, e);
      throw e;
    }
  }
}
