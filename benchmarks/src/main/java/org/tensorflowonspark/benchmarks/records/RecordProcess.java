/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.records;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.tensorflowonspark.sql.hadoop.HadoopSource;
import org.tensorflowonspark.tfrecord.FileSource;
import org.tensorflowonspark.tfrecord.RecordSource;

/**
 * Our side of the races, a process that answers requests:
 *
 * <pre>
 * make FILE COLUMNS ROWS ORDER WANTED writes a file; ORDER of features is same or any; tells the
 *                                     checksum of the WANTED columns
 * expected FILE COLUMNS ROWS          what check of so many rows tells
 * check FILE COLUMNS                  number of records and checksum of all columns
 * read FILE COLUMNS PASSES            file to columns, over Hadoop's file system
 * plain FILE COLUMNS PASSES           the same without Hadoop
 * rows FILE COLUMNS PASSES            file to rows of Spark
 * bare FILE COLUMNS PASSES            the limit of reading
 * write FILE COLUMNS ROWS             rows of Spark to a file
 * barewrite FILE COLUMNS ROWS BYTES   the limit of writing, records of BYTES bytes
 * </pre>
 */
public final class RecordProcess {
  private final Configuration configuration = new Configuration();
  private final BareFiles bare = new BareFiles();
  private final RowFiles rows = new RowFiles();
  private final byte[] batch = new byte[4 << 20];

  private RecordProcess() {}

  public static void main(String[] args) throws Exception {
    RecordProcess process = new RecordProcess();
    Requests.serve(Map.of("java", Runtime.version().toString()), process::answer);
  }

  private Map<String, Number> answer(String[] words) throws Exception {
    Path file = Path.of(words[1]);
    List<Column> columns = Column.parse(words[2]);
    int count = words.length > 3 ? Integer.parseInt(words[3]) : 1;
    return switch (words[0]) {
      case "make" -> {
        new ColumnWriter(columns).write(file, count, words[4].equals("any"));
        List<Column> wanted = Column.parse(words[5]);
        yield Map.of("bytes", Files.size(file), "hash", ExampleFiles.expected(wanted, count));
      }
      case "expected" -> Map.of("records", count, "hash", ExampleFiles.expected(columns, count));
      case "check" -> ExampleFiles.check(hadoop(file), columns);
      case "write" -> rows.write(file, words[2], count);
      case "barewrite" -> {
        Files.deleteIfExists(file);
        Requests.Clock start = new Requests.Clock();
        bare.write(file, batch, Integer.parseInt(words[4]), count);
        yield start.stop(count);
      }
      default -> {
        long records = 0;
        Requests.Clock start = new Requests.Clock();
        for (int pass = 0; pass < count; pass++) {
          records += pass(words[0], file, columns);
        }
        yield start.stop(records);
      }
    };
  }

  private long pass(String what, Path file, List<Column> columns) throws Exception {
    return switch (what) {
      case "read" -> ExampleFiles.read(hadoop(file), columns, rows -> {});
      case "plain" -> ExampleFiles.read(FileSource.open(file), columns, rows -> {});
      case "rows" -> RowFiles.read(hadoop(file), columns);
      case "bare" -> bare.read(file, batch);
      default -> throw new IllegalArgumentException("No request: " + what);
    };
  }

  private RecordSource hadoop(Path file) throws IOException {
    return HadoopSource.open(configuration, new org.apache.hadoop.fs.Path(file.toUri()), -1);
  }
}
