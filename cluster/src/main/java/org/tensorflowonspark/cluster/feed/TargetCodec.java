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

/** The flat form in which a node tells the driver the columns that its program reads. */
public final class TargetCodec {
  private TargetCodec() {}

  /** Encodes {@code targets}; equal lists have equal bytes. */
  public static byte[] encode(List<ColumnTarget> targets) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(targets.size());
      for (ColumnTarget target : targets) {
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
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Reads what {@link #encode} wrote. */
  public static List<ColumnTarget> decode(byte[] bytes) {
    List<ColumnTarget> targets = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      for (int left = in.readInt(); left > 0; left--) {
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
        targets.add(
            new ColumnTarget(
                tensor,
                column,
                dtype,
                shape,
                in.readBoolean(),
                readOptional(in),
                readOptional(in)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return targets;
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
