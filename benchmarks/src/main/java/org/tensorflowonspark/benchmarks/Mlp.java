/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.util.List;
import org.tensorflow.Operand;
import org.tensorflow.framework.optimizers.GradientDescent;
import org.tensorflow.op.Ops;
import org.tensorflow.op.random.TruncatedNormal;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt64;
import org.tensorflowonspark.tensorflow.GraphModel;
import org.tensorflowonspark.tensorflow.GraphParts;

/** Nets of dense layers on 784 inputs, built in Java, as the peers build them in Keras. */
final class Mlp {
  private Mlp() {}

  /** About a million parameters: 1024, 192 and 10 units; trained with SGD. */
  static GraphModel million() {
    return GraphModel.of((tf, parts) -> build(tf, parts, List.of(1024, 192, 10)));
  }

  private static void build(Ops tf, GraphParts parts, List<Integer> units) {
    Operand<TFloat32> at = parts.input("x", TFloat32.class, FeedRows.WIDTH);
    Operand<TInt64> label = parts.label("y", TInt64.class);
    int width = FeedRows.WIDTH;
    for (int layer = 0; layer < units.size(); layer++) {
      int wide = units.get(layer);
      Operand<TFloat32> start =
          tf.math.mul(
              tf.random.truncatedNormal(
                  tf.array(width, wide), TFloat32.class, TruncatedNormal.seed(layer + 1L)),
              tf.constant((float) Math.sqrt(2.0 / width)));
      var kernel = parts.variable("kernel" + layer, start);
      var bias = parts.variable("bias" + layer, tf.zeros(tf.array(wide), TFloat32.class));
      at = tf.math.add(tf.linalg.matMul(at, kernel), bias);
      at = layer < units.size() - 1 ? tf.nn.relu(at) : at;
      width = wide;
    }
    parts.output("logits", at);
    var wanted = tf.oneHot(label, tf.constant(10), tf.constant(1f), tf.constant(0f));
    parts.loss(tf.nn.softmaxCrossEntropyWithLogits(at, wanted).loss());
    parts.optimizer(graph -> new GradientDescent(graph, 0.001f));
  }
}
