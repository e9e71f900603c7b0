/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorSpec;

/**
 * What a node tells the driver when its program opens a feed.
 *
 * @param targets the columns that the program reads
 * @param batchSize rows of a batch
 * @param inStep whether nodes read it in step, so that each should get as many rows as the others
 * @param answers the tensors that the program answers with; empty for a feed that takes no answers
 */
public record FeedSpec(
    List<ColumnTarget> targets, int batchSize, boolean inStep, List<TensorSpec> answers) {

  /** Copies the lists. */
  public FeedSpec {
    targets = List.copyOf(targets);
    answers = List.copyOf(answers);
  }

  /** The flat form; equal specs have equal bytes. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(batchSize);
      out.writeBoolean(inStep);
      out.writeInt(answers.size());
      for (TensorSpec answer : answers) {
        out.writeUTF(answer.toString());
      }
      out.writeInt(targets.size());
      for (ColumnTarget target : targets) {
        write(out, target);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, ColumnTarget target) throws IOException {
    out.writeUTF(target.tensor());
    out.writeUTF(target.column());
    out.writeUTF(target.dtype().name());
    out.writeInt(target.rowShape().length);
    for (long dimension : target.rowShape()) {
      out.writeLong(dimension);
    }
    out.writeBoolean(target.allowLossy());
    writeOptional(out, target.padding());
    writeOptional(out, target.nullValue());
  }

  /** Reads what {@link #encode} wrote. */
  public static FeedSpec decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int batchSize = in.readInt();
      boolean inStep = in.readBoolean();
      List<TensorSpec> answers = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        answers.add(TensorSpec.parse(in.readUTF()));
      }
      List<ColumnTarget> targets = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        targets.add(readTarget(in));
      }
      return new FeedSpec(targets, batchSize, inStep, answers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ColumnTarget readTarget(DataInputStream in) throws IOException {
    String tensor = in.readUTF();
    String column = in.readUTF();
    DType dtype = DType.valueOf(in.readUTF());
    int rank = in.readInt();
    if (rank < 0 || rank > in.available() / Long.BYTES) {
      throw new IOException("A shape of " + rank + " dimensions");
    }
    long[] shape = new long[rank];
    for (int i = 0; i < rank; i++) {
      shape[i] = in.readLong();
    }
    return new ColumnTarget(
        tensor, column, dtype, shape, in.readBoolean(), readOptional(in), readOptional(in));
  }

  private static void writeOptional(DataOutputStream out, @Nullable String text)
      throws IOException {
    out.writeBoolean(text != null);
    if (text != null) {
      out.writeUTF(text);
    }
  }

  private static @Nullable String readOptional(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readUTF() : null;
  }
}
