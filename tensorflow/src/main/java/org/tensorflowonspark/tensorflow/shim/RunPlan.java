/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow.shim;

import java.nio.LongBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;

/**
 * A prepared {@code TF_SessionRun}: names resolved, native arrays made once. A run copies neither
 * what is fed nor what is fetched. May run on several threads at once.
 */
public final class RunPlan {
  private final NativeModel model;
  private final TF_Output inputs;
  private final TF_Output outputs;
  private final LongPointer targetAddresses;
  private final PointerPointer<TF_Operation> targets;
  private final int feeds;
  private final int fetches;
  private final int targetCount;
  private final ConcurrentLinkedQueue<Frame> idle = new ConcurrentLinkedQueue<>();

  RunPlan(
      NativeModel model,
      List<NativeModel.Endpoint> feeds,
      List<NativeModel.Endpoint> fetches,
      List<TF_Operation> targets) {
    this.model = model;
    this.feeds = feeds.size();
    this.fetches = fetches.size();
    this.targetCount = targets.size();
    this.inputs = array(feeds);
    this.outputs = array(fetches);
    this.targetAddresses = new LongPointer(Math.max(1, targets.size()));
    for (int i = 0; i < targets.size(); i++) {
      targetAddresses.put(i, targets.get(i).address());
    }
    this.targets = new PointerPointer<>(targetAddresses);
  }

  private static TF_Output array(List<NativeModel.Endpoint> endpoints) {
    TF_Output array = new TF_Output(Math.max(1, endpoints.size()));
    for (int i = 0; i < endpoints.size(); i++) {
      array.position(i).oper(endpoints.get(i).operation()).index(endpoints.get(i).index());
    }
    return array.position(0);
  }

  /**
   * Runs once; blocks until done.
   *
   * @param values fed in the order of the plan; stay the caller's
   * @return what was fetched, in the order of the plan; the caller closes each
   */
  public NativeTensor[] run(NativeTensor... values) {
    if (values.length != feeds) {
      throw new IllegalArgumentException(feeds + " values are needed, not " + values.length);
    }
    TF_Session session = model.enter();
    try {
      Frame frame = idle.poll();
      if (frame == null) {
        frame = new Frame(feeds, fetches);
      }
      try {
        return run(session, frame, values);
      } finally {
        idle.add(frame);
      }
    } finally {
      model.leave();
    }
  }

  private NativeTensor[] run(TF_Session session, Frame frame, NativeTensor[] values) {
    for (int i = 0; i < feeds; i++) {
      frame.in.put(i, values[i].address());
    }
    tensorflow.TF_SessionRun(
        session,
        null,
        inputs,
        frame.inPointers,
        feeds,
        outputs,
        frame.outPointers,
        fetches,
        targets,
        targetCount,
        null,
        frame.status.handle());
    frame.status.check();
    NativeTensor[] results = new NativeTensor[fetches];
    for (int i = 0; i < fetches; i++) {
      results[i] = new NativeTensor(new TF_Tensor(new Address(frame.out.get(i))));
    }
    return results;
  }

  void release() {
    idle.forEach(Frame::close);
    idle.clear();
    inputs.close();
    outputs.close();
    targetAddresses.close();
  }

  /** Native memory of one run at a time. */
  private static final class Frame implements AutoCloseable {
    private final LongPointer inAddresses;
    private final LongPointer outAddresses;
    private final PointerPointer<TF_Tensor> inPointers;
    private final PointerPointer<TF_Tensor> outPointers;
    private final LongBuffer in;
    private final LongBuffer out;
    private final Status status = new Status();

    Frame(int feeds, int fetches) {
      inAddresses = new LongPointer(Math.max(1, feeds));
      outAddresses = new LongPointer(Math.max(1, fetches));
      inPointers = new PointerPointer<>(inAddresses);
      outPointers = new PointerPointer<>(outAddresses);
      in = inAddresses.asBuffer();
      out = outAddresses.asBuffer();
    }

    @Override
    public void close() {
      inAddresses.close();
      outAddresses.close();
      status.close();
    }
  }
}
