/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.tensorflow.Batch;

/** Images in CSV files, one a line: the label, then the pixels from 0 to 255. */
final class CsvImages implements AutoCloseable {
  private final Configuration hadoop;
  private final Deque<Path> files;
  private @Nullable BufferedReader open;

  CsvImages(Configuration hadoop, List<Path> files) {
    this.hadoop = hadoop;
    this.files = new ArrayDeque<>(files);
  }

  /** The files of a folder, in the same order on every node. */
  static List<Path> list(Configuration hadoop, Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (FileStatus file : folder.getFileSystem(hadoop).listStatus(folder)) {
      if (file.isFile() && !file.getPath().getName().startsWith("_")) {
        files.add(file.getPath());
      }
    }
    files.sort(null);
    return files;
  }

  /** Fills the batch with the next images; fewer, or none, at the end. */
  void fill(Batch batch) throws IOException {
    ByteBuffer images = batch.buffer("x");
    ByteBuffer labels = batch.buffer("y");
    int rows = 0;
    while (rows < batch.capacity()) {
      String line = nextLine();
      if (line == null) {
        break;
      }
      String[] fields = line.split(",", -1);
      labels.putLong(Long.parseLong(fields[0]));
      for (int i = 1; i < fields.length; i++) {
        images.putFloat(Integer.parseInt(fields[i]) / 255f);
      }
      rows++;
    }
    batch.setRows(rows);
  }

  private @Nullable String nextLine() throws IOException {
    while (true) {
      BufferedReader reader = open;
      String line = reader == null ? null : reader.readLine();
      if (line != null) {
        return line;
      }
      close();
      Path next = files.poll();
      if (next == null) {
        return null;
      }
      open =
          new BufferedReader(new InputStreamReader(next.getFileSystem(hadoop).open(next), UTF_8));
    }
  }

  @Override
  public void close() throws IOException {
    BufferedReader reader = open;
    open = null;
    if (reader != null) {
      reader.close();
    }
  }
}
