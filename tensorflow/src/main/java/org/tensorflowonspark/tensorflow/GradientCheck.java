/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeRuntime;

/**
 * Whether everything between the variables and the loss can be differentiated. Asked beforehand:
 * TensorFlow itself names neither the operation nor a way out.
 */
final class GradientCheck {
  private static final Map<String, String> INSTEAD =
      Map.of(
          "SparseSoftmaxCrossEntropyWithLogits",
          "softmaxCrossEntropyWithLogits over tf.oneHot(labels, ..)",
          "ResourceGather",
          "tf.gather over a variable made by parts.variable",
          "TopKV2",
          "tf.math.maximum or a mask",
          "Cumprod",
          "tf.math.exp of tf.cumsum of tf.math.log",
          "Conv3D",
          "conv2d, slice by slice");

  private GradientCheck() {}

  static void check(GraphDef graph, String loss, Collection<String> variables) {
    Map<String, NodeDef> nodes = new HashMap<>();
    Map<String, List<String>> consumers = new HashMap<>();
    for (NodeDef node : graph.getNodeList()) {
      nodes.put(node.getName(), node);
      for (String input : dataInputs(node)) {
        consumers.computeIfAbsent(input, k -> new ArrayList<>()).add(node.getName());
      }
    }
    Set<String> behind = reach(List.of(loss), name -> dataInputs(nodes.getOrDefault(name, NONE)));
    for (String variable : variables) {
      if (!behind.contains(variable)) {
        throw new TfosException(
            ModelError.BAD_GRAPH,
            "The loss does not depend on the variable '" + variable + "'",
            "Use it, or make it with tf.variable so that it is not trained.");
      }
    }
    Set<String> path = reach(variables, name -> consumers.getOrDefault(name, List.of()));
    path.retainAll(behind);
    path.removeAll(variables);
    for (NodeDef node : graph.getNodeList()) {
      if (path.contains(node.getName()) && !NativeRuntime.hasGradient(node.getOp())) {
        throw new TfosException(
            ModelError.NO_GRADIENT,
            "Operation '"
                + node.getName()
                + "' of type "
                + node.getOp()
                + " lies between a variable and the loss and has no gradient outside Python",
            (INSTEAD.containsKey(node.getOp())
                    ? "Use " + INSTEAD.get(node.getOp()) + " instead, or build"
                    : "Build")
                + " the model in Python and export it with tensorflowonspark_export, where every"
                + " operation of Keras can be trained.");
      }
    }
  }

  private static final NodeDef NONE = NodeDef.getDefaultInstance();

  private static List<String> dataInputs(NodeDef node) {
    List<String> names = new ArrayList<>();
    for (String input : node.getInputList()) {
      if (!input.startsWith("^")) {
        int colon = input.indexOf(':');
        names.add(colon < 0 ? input : input.substring(0, colon));
      }
    }
    return names;
  }

  private static Set<String> reach(
      Collection<String> from, java.util.function.Function<String, List<String>> next) {
    Set<String> seen = new HashSet<>(from);
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (String name : next.apply(open.pop())) {
        if (seen.add(name)) {
          open.push(name);
        }
      }
    }
    return seen;
  }
}
