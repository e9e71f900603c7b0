/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster;

import java.util.List;
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

/** Reads TFRecord files with TensorFlow's own ops, as a program on a node may. */
final class TensorFlowReader {
  private TensorFlowReader() {}

  static long count(List<String> files) {
    long records = 0;
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      List<Class<? extends TType>> types = List.of(TString.class);
      List<Shape> shapes = List.of(Shape.scalar());
      Operand<TType> dataset =
          tf.scope()
              .opBuilder("TFRecordDataset", "records")
              .addInput(tf.array(files.toArray(new String[0])).asOutput())
              .addInput(tf.constant("").asOutput())
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
          session.runner().fetch(record).run().close();
          records++;
        }
      } catch (TFOutOfRangeException end) {
        return records;
      }
    }
  }
}
