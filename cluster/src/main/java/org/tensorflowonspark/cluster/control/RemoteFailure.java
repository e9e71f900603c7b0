/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.tensorflowonspark.base.TfosException;

/**
 * An exception of a node in flat form: for each link of its chain of causes the class, the message
 * and the stack. Exceptions themselves are not sent: their classes may be unknown to the other
 * side.
 *
 * @param chain the exception and its causes, outermost first; never empty
 */
public record RemoteFailure(List<Link> chain) {
  private static final int MAX_LINKS = 12;
  private static final int MAX_FRAMES = 60;
  private static final int MAX_TEXT = 4000;

  /** One exception of the chain. */
  public record Link(String type, String code, String message, List<StackTraceElement> stack) {}

  /** Flattens {@code failure}; long messages and stacks are cut. */
  public static RemoteFailure of(Throwable failure) {
    List<Link> chain = new ArrayList<>();
    for (Throwable t = failure; t != null && chain.size() < MAX_LINKS; t = t.getCause()) {
      StackTraceElement[] stack = t.getStackTrace();
      chain.add(
          new Link(
              t.getClass().getName(),
              t instanceof TfosException e ? e.code() : "",
              cut(String.valueOf(t.getMessage())),
              List.of(stack).subList(0, Math.min(stack.length, MAX_FRAMES))));
    }
    return new RemoteFailure(List.copyOf(chain));
  }

  /**
   * Whether this failure only says that some other node went away, so that another one is likely to
   * be the first cause.
   */
  public boolean isConsequence() {
    return chain.stream()
        .anyMatch(
            l -> l.code().startsWith("TFOS-TRANSPORT") || l.code().startsWith("TFOS-COLLECTIVE"));
  }

  /** The outermost exception in one line. */
  public String summary() {
    Link first = chain.get(0);
    return first.code().isEmpty() ? first.type() + ": " + first.message() : first.message();
  }

  /** An exception with the remote class names, messages and stacks, to be set as a cause. */
  public RemoteException toException() {
    RemoteException cause = null;
    for (int i = chain.size() - 1; i >= 0; i--) {
      Link link = chain.get(i);
      RemoteException e = new RemoteException(link.type() + ": " + link.message(), cause);
      e.setStackTrace(link.stack().toArray(new StackTraceElement[0]));
      cause = e;
    }
    return java.util.Objects.requireNonNull(cause);
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  void write(DataOutput out) throws IOException {
    out.writeByte(chain.size());
    for (Link link : chain) {
      out.writeUTF(link.type());
      out.writeUTF(link.code());
      Wire.writeText(out, link.message());
      out.writeByte(link.stack().size());
      for (StackTraceElement frame : link.stack()) {
        out.writeUTF(frame.getClassName());
        out.writeUTF(frame.getMethodName());
        out.writeUTF(String.valueOf(frame.getFileName()));
        out.writeInt(frame.getLineNumber());
      }
    }
  }

  static RemoteFailure read(DataInput in) throws IOException {
    int links = in.readUnsignedByte();
    List<Link> chain = new ArrayList<>(links);
    for (int i = 0; i < links; i++) {
      String type = in.readUTF();
      String code = in.readUTF();
      String message = Wire.readText(in);
      int frames = in.readUnsignedByte();
      List<StackTraceElement> stack = new ArrayList<>(frames);
      for (int j = 0; j < frames; j++) {
        stack.add(new StackTraceElement(in.readUTF(), in.readUTF(), in.readUTF(), in.readInt()));
      }
      chain.add(new Link(type, code, message, List.copyOf(stack)));
    }
    return new RemoteFailure(List.copyOf(chain));
  }
}
