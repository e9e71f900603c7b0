/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeException;
import org.tensorflowonspark.tensorflow.shim.NativeModel;
import org.tensorflowonspark.tensorflow.shim.NativeTensor;
import org.tensorflowonspark.tensorflow.shim.RunPlan;

/**
 * The variables of a loaded graph, both of resources (Python's) and of references (Java's). Reading
 * and assigning are operations that are added to the graph when first needed.
 */
final class Variables {
  private static final String PREFIX = "tfos_variables/";

  private final NativeModel model;
  private final Map<String, Variable> byName = new LinkedHashMap<>();
  private final List<TensorSpec> specs;
  private @Nullable RunPlan readAll;
  private @Nullable RunPlan writeAll;

  private static final class Variable {
    final TensorSpec spec;
    final boolean resource;
    final String prefix;
    @Nullable String read;
    @Nullable String feed;
    String assign = "";

    Variable(TensorSpec spec, boolean resource, int number) {
      this.spec = spec;
      this.resource = resource;
      this.prefix = PREFIX + number + "/";
    }
  }

  Variables(NativeModel model, GraphDef graph) {
    this.model = model;
    Set<String> shared = new HashSet<>();
    for (NodeDef node : graph.getNodeList()) {
      boolean resource = node.getOp().equals("VarHandleOp");
      if (!resource && !node.getOp().equals("VariableV2")) {
        continue;
      }
      String name = node.getAttrOrDefault("shared_name", EMPTY).getS().toStringUtf8();
      // Two handles of one shared name are one variable.
      if (!name.isEmpty() && !shared.add(node.getOp() + name)) {
        continue;
      }
      TensorSpec spec =
          new TensorSpec(
              node.getName(),
              DType.of(
                  node.getAttrOrDefault("dtype", EMPTY).getType(), "Variable " + node.getName()),
              TensorSpec.shape(node.getAttrOrDefault("shape", EMPTY).getShape()));
      byName.put(node.getName(), new Variable(spec, resource, byName.size()));
    }
    specs = byName.values().stream().map(v -> v.spec).toList();
  }

  private static final org.tensorflow.proto.AttrValue EMPTY =
      org.tensorflow.proto.AttrValue.getDefaultInstance();

  List<TensorSpec> specs() {
    return specs;
  }

  boolean has(String name) {
    return byName.containsKey(name);
  }

  synchronized TensorList read() {
    RunPlan plan = readAll;
    if (plan == null) {
      plan = readPlan(List.copyOf(byName.values()));
      readAll = plan;
    }
    return new TensorList(specs, run(plan));
  }

  synchronized TensorList read(List<String> names) {
    List<Variable> wanted = new ArrayList<>();
    for (String name : names) {
      wanted.add(find(name));
    }
    return new TensorList(wanted.stream().map(v -> v.spec).toList(), run(readPlan(wanted)));
  }

  private RunPlan readPlan(List<Variable> variables) {
    List<String> fetches = new ArrayList<>();
    for (Variable v : variables) {
      if (v.read == null) {
        v.read =
            v.resource
                ? model.addRead(v.prefix + "read", v.spec.name(), v.spec.dtype().number())
                : v.spec.name() + ":0";
      }
      fetches.add(v.read);
    }
    return model.plan(List.of(), fetches, List.of());
  }

  synchronized void write(TensorList values) {
    List<Variable> targets = new ArrayList<>();
    NativeTensor[] tensors = new NativeTensor[values.size()];
    for (int i = 0; i < values.size(); i++) {
      targets.add(checked(values.spec(i)));
      tensors[i] = values.tensor(i);
    }
    RunPlan plan = writeAll;
    if (!values.specs().stream()
        .map(TensorSpec::name)
        .toList()
        .equals(List.copyOf(byName.keySet()))) {
      plan = writePlan(targets);
    } else if (plan == null) {
      plan = writePlan(targets);
      writeAll = plan;
    }
    run(plan, tensors);
  }

  private RunPlan writePlan(List<Variable> variables) {
    List<String> feeds = new ArrayList<>();
    List<String> targets = new ArrayList<>();
    for (Variable v : variables) {
      String feed = v.feed;
      if (feed == null) {
        feed = model.addPlaceholder(v.prefix + "value", v.spec.dtype().number());
        // An assigned variable takes over the memory that it is given. The caller's stays the
        // caller's, so it gets a copy.
        String copy = model.addOperation("DeepCopy", v.prefix + "copy", feed);
        v.assign = v.prefix + "assign";
        model.addOperation(
            v.resource ? "AssignVariableOp" : "Assign", v.assign, v.spec.name(), copy);
        v.feed = feed;
      }
      feeds.add(feed);
      targets.add(v.assign);
    }
    return model.plan(feeds, List.of(), targets);
  }

  private Variable checked(TensorSpec value) {
    Variable variable = find(value.name());
    List<Long> shape = value.shape();
    if (variable.spec.dtype() != value.dtype() || shape == null || !variable.spec.accepts(shape)) {
      throw new TfosException(
          ModelError.VARIABLES_DISAGREE,
          "The variable '" + variable.spec + "' is given '" + value + "'",
          "Take values from the same model.");
    }
    return variable;
  }

  private Variable find(String name) {
    Variable variable = byName.get(name);
    if (variable == null) {
      String near = org.tensorflowonspark.base.OptionTable.nearest(name, byName.keySet());
      throw new TfosException(
          ModelError.VARIABLES_DISAGREE,
          "The model has no variable '" + name + "'",
          near == null
              ? "It has " + byName.size() + ", see variableSpecs()."
              : "Did you mean '" + near + "'?");
    }
    return variable;
  }

  private static NativeTensor[] run(RunPlan plan, NativeTensor... values) {
    try {
      return plan.run(values);
    } catch (NativeException e) {
      throw new TfosException(
          ModelError.RUN_FAILED,
          "TensorFlow failed to read or assign variables: " + e.getMessage(),
          "See that the model's variables are initialised: load or restore it from a whole export.",
          e);
    }
  }
}
