/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * Orders the updates of one optimizer step. TensorFlow Java's Adam and its kin assign the powers of
 * beta beside the updates that read them, in no order, so that two runs of the same step may
 * differ; here whoever assigns a variable waits for the other updates that read it, as in Python.
 */
final class UpdateOrder {
  private final GraphDef.Builder graph;
  private final Map<String, Integer> positions = new HashMap<>();

  private UpdateOrder(GraphDef.Builder graph) {
    this.graph = graph;
    for (int i = 0; i < graph.getNodeCount(); i++) {
      positions.put(graph.getNode(i).getName(), i);
    }
  }

  /**
   * Adds control inputs to a graph.
   *
   * @param step name of the operation that has all updates as control inputs
   */
  static void fix(GraphDef.Builder graph, String step) {
    UpdateOrder order = new UpdateOrder(graph);
    List<String> updates =
        order.node(step).getInputList().stream().map(UpdateOrder::operation).toList();
    for (String writer : updates) {
      NodeDef node = order.node(writer);
      if (!node.getOp().startsWith("Assign")) {
        continue;
      }
      String variable = operation(node.getInput(0));
      for (String reader : updates) {
        Set<String> behind = reader.equals(writer) ? Set.of() : order.behind(reader);
        if (behind.contains(variable) && !behind.contains(writer)) {
          graph.getNodeBuilder(order.position(writer)).addInput("^" + reader);
        }
      }
    }
  }

  private NodeDef node(String name) {
    return graph.getNode(position(name));
  }

  private int position(String name) {
    return Objects.requireNonNull(positions.get(name), name);
  }

  private Set<String> behind(String name) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      List<String> inputs = new ArrayList<>(node(open.pop()).getInputList());
      for (String input : inputs) {
        if (seen.add(operation(input))) {
          open.push(operation(input));
        }
      }
    }
    return seen;
  }

  private static String operation(String input) {
    String name = input.startsWith("^") ? input.substring(1) : input;
    int colon = name.indexOf(':');
    return colon < 0 ? name : name.substring(0, colon);
  }
}
