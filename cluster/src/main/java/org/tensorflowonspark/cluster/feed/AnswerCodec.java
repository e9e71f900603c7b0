/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Answers on their way between processes: a count, then length and bytes of each row. */
final class AnswerCodec {
  private AnswerCodec() {}

  static ByteBuffer encode(List<UnsafeRow> rows) {
    long size = Integer.BYTES;
    for (UnsafeRow row : rows) {
      size += Integer.BYTES + row.getSizeInBytes();
    }
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size)).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(rows.size());
    for (UnsafeRow row : rows) {
      out.putInt(row.getSizeInBytes());
      out.put(row.getBytes());
    }
    return out.flip();
  }

  static List<UnsafeRow> decode(ByteBuffer message, int fields) {
    ByteBuffer in = message.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int count = in.remaining() < Integer.BYTES ? -1 : in.getInt();
    if (count < 0 || count > in.remaining() / Integer.BYTES) {
      throw new IllegalArgumentException(count + " answers in " + message.remaining() + " bytes");
    }
    List<UnsafeRow> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
      if (length < 0 || length > in.remaining()) {
        throw new IllegalArgumentException(
            "An answer of " + length + " bytes where " + in.remaining() + " are left");
      }
      byte[] bytes = new byte[length];
      in.get(bytes);
      UnsafeRow row = new UnsafeRow(fields);
      row.pointTo(bytes, length);
      rows.add(row);
    }
    return rows;
  }
}
