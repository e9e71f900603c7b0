/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** The bytes of a string or binary value where they lie; reused from value to value. */
final class BytesView {
  private @Nullable Object base;
  private long offset;
  private int size;

  void point(SpecializedGetters in, int ordinal, SourceType type) {
    if (in instanceof UnsafeRow row) {
      long word = row.getLong(ordinal);
      set(row.getBaseObject(), row.getBaseOffset() + (word >>> 32), (int) word);
    } else if (in instanceof UnsafeArrayData array) {
      long word = array.getLong(ordinal);
      set(array.getBaseObject(), array.getBaseOffset() + (word >>> 32), (int) word);
    } else if (type == SourceType.STRING) {
      UTF8String text = in.getUTF8String(ordinal);
      set(text.getBaseObject(), text.getBaseOffset(), text.numBytes());
    } else {
      byte[] bytes = in.getBinary(ordinal);
      set(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
    }
  }

  private void set(@Nullable Object newBase, long newOffset, int newSize) {
    base = newBase;
    offset = newOffset;
    size = newSize;
  }

  int size() {
    return size;
  }

  void copyTo(byte[] memory, int at) {
    Platform.copyMemory(base, offset, memory, Platform.BYTE_ARRAY_OFFSET + at, size);
  }
}
