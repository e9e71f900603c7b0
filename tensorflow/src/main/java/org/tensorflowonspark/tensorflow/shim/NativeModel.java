/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.TF_Graph;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_OperationDescription;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_SessionOptions;
import org.tensorflow.internal.c_api.global.tensorflow;

/**
 * A SavedModel in this process: its graph and the session with its variables. Runs may go on from
 * several threads at once; {@link #close} waits for them.
 */
public final class NativeModel implements AutoCloseable {
  private final TF_Graph graph;
  private final TF_Session session;
  private final ReentrantReadWriteLock lifetime = new ReentrantReadWriteLock();
  private final List<RunPlan> plans = new ArrayList<>();
  private boolean closed;

  private NativeModel(TF_Graph graph, TF_Session session) {
    this.graph = graph;
    this.session = session;
  }

  /**
   * Loads graph and variables, and initialises tables.
   *
   * @param config serialised {@code ConfigProto}
   */
  public static NativeModel load(String directory, List<String> tags, byte[] config) {
    TF_Graph graph = tensorflow.TF_NewGraph();
    TF_SessionOptions options = tensorflow.TF_NewSessionOptions();
    TF_Buffer meta = tensorflow.TF_NewBuffer();
    List<BytePointer> texts = new ArrayList<>();
    boolean done = false;
    try (Status status = new Status();
        BytePointer configBytes = new BytePointer(config);
        BytePointer path = new BytePointer(directory, StandardCharsets.UTF_8);
        PointerPointer<BytePointer> tagList = new PointerPointer<>(Math.max(1, tags.size()))) {
      for (int i = 0; i < tags.size(); i++) {
        BytePointer text = new BytePointer(tags.get(i), StandardCharsets.UTF_8);
        texts.add(text);
        tagList.put(i, text);
      }
      tensorflow.TF_SetConfig(options, configBytes, config.length, status.handle());
      status.check();
      TF_Session session =
          tensorflow.TF_LoadSessionFromSavedModel(
              options, null, path, tagList, tags.size(), graph, meta, status.handle());
      status.check();
      done = true;
      return new NativeModel(graph, session);
    } finally {
      texts.forEach(Pointer::close);
      tensorflow.TF_DeleteBuffer(meta);
      tensorflow.TF_DeleteSessionOptions(options);
      if (!done) {
        tensorflow.TF_DeleteGraph(graph);
      }
    }
  }

  /**
   * Prepares a run; it is closed with the model.
   *
   * @param feeds names of tensors ({@code op:index}), in the order in which values will come
   * @param fetches names of tensors, in the order in which they are returned
   * @param targets names of operations that are run for their effect
   */
  public RunPlan plan(List<String> feeds, List<String> fetches, List<String> targets) {
    checkOpen();
    RunPlan plan =
        new RunPlan(
            this,
            feeds.stream().map(this::endpoint).toList(),
            fetches.stream().map(this::endpoint).toList(),
            targets.stream().map(t -> endpoint(t).operation()).toList());
    synchronized (plans) {
      plans.add(plan);
    }
    return plan;
  }

  /** Adds a placeholder and returns the name of its tensor. */
  public String addPlaceholder(String name, int dtype) {
    TF_OperationDescription op = tensorflow.TF_NewOperation(graph, "Placeholder", name);
    tensorflow.TF_SetAttrType(op, "dtype", dtype);
    return finish(op, name);
  }

  /** Adds the reading of a resource variable and returns the name of its tensor. */
  public String addRead(String name, String variable, int dtype) {
    TF_OperationDescription op = tensorflow.TF_NewOperation(graph, "ReadVariableOp", name);
    tensorflow.TF_SetAttrType(op, "dtype", dtype);
    return finish(op, name, variable);
  }

  /** Adds an operation whose attributes follow from its inputs; returns its first output. */
  public String addOperation(String type, String name, String... inputs) {
    return finish(tensorflow.TF_NewOperation(graph, type, name), name, inputs);
  }

  private String finish(TF_OperationDescription op, String name, String... inputs) {
    for (String input : inputs) {
      Endpoint from = endpoint(input);
      try (TF_Output output = new TF_Output()) {
        tensorflow.TF_AddInput(op, output.oper(from.operation()).index(from.index()));
      }
    }
    try (Status status = new Status()) {
      tensorflow.TF_FinishOperation(op, status.handle());
      status.check();
    }
    return name + ":0";
  }

  private Endpoint endpoint(String name) {
    int colon = name.lastIndexOf(':');
    String operation = colon < 0 ? name : name.substring(0, colon);
    int index = colon < 0 ? 0 : Integer.parseInt(name.substring(colon + 1));
    TF_Operation handle = tensorflow.TF_GraphOperationByName(graph, operation);
    if (handle == null || handle.isNull()) {
      throw new NativeException(5, "no operation '" + operation + "' in the graph");
    }
    return new Endpoint(handle, index);
  }

  /** An output of an operation. */
  record Endpoint(TF_Operation operation, int index) {}

  TF_Session enter() {
    lifetime.readLock().lock();
    if (closed) {
      lifetime.readLock().unlock();
      throw new IllegalStateException("This model is closed");
    }
    return session;
  }

  void leave() {
    lifetime.readLock().unlock();
  }

  private void checkOpen() {
    enter();
    leave();
  }

  @Override
  public void close() {
    lifetime.writeLock().lock();
    try (Status status = new Status()) {
      if (closed) {
        return;
      }
      closed = true;
      plans.forEach(RunPlan::release);
      tensorflow.TF_CloseSession(session, status.handle());
      tensorflow.TF_DeleteSession(session, status.handle());
      tensorflow.TF_DeleteGraph(graph);
    } finally {
      lifetime.writeLock().unlock();
    }
  }
}
