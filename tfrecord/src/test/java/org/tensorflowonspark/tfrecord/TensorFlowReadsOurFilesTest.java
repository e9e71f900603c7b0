/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Session;
import org.tensorflow.exceptions.TFOutOfRangeException;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.op.data.Iterator;
import org.tensorflow.op.data.IteratorGetNext;
import org.tensorflow.op.data.MakeIterator;
import org.tensorflow.types.TString;
import org.tensorflow.types.family.TType;

/** TensorFlow's own reader finds in our files what was written. */
class TensorFlowReadsOurFilesTest {
  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource(Compression.class)
  void equalRecords(Compression compression) throws IOException {
    List<byte[]> records = RecordFixtures.random(1, 0, 1, 20, 0, 200_000, 131_056, 131_057, 5);
    Path file = dir.resolve("ours.tfrecord" + compression.extension());
    Files.write(file, RecordFixtures.of(compression, records));

    assertThat(read(file, compression == Compression.NONE ? "" : compression.name()))
        .isEqualTo(RecordFixtures.texts(records));
  }

  private static List<String> read(Path file, String compressionType) {
    List<String> records = new ArrayList<>();
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      List<Class<? extends TType>> types = List.of(TString.class);
      List<Shape> shapes = List.of(Shape.scalar());
      // The op of this name without offsets: TensorFlow cannot rewrite the newer one in a graph.
      Operand<TType> dataset =
          tf.scope()
              .opBuilder("TFRecordDataset", "records")
              .addInput(tf.array(file.toString()).asOutput())
              .addInput(tf.constant(compressionType).asOutput())
              .addInput(tf.constant(0L).asOutput())
              .build()
              .output(0);
      Iterator iterator = tf.data.iterator("", "", types, shapes);
      MakeIterator make = tf.data.makeIterator(dataset, iterator);
      IteratorGetNext next = tf.data.iteratorGetNext(iterator, types, shapes);
      Operand<?> record = (Operand<?>) next.iterator().next();
      try (Session session = new Session(graph)) {
        session.runner().addTarget(make).run();
        while (true) {
          try (var result = session.runner().fetch(record).run()) {
            records.add(RecordFixtures.text(((TString) result.get(0)).asBytes().getObject()));
          }
        }
      } catch (TFOutOfRangeException end) {
        return records;
      }
    }
  }
}
