/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.Platform;

/**
 * Arrays and structs inside of rows and arrays. Spark's own getters make a new object for each; of
 * the unsafe formats, which is what feeds see, these point a reused one at the place: the upper
 * half of the field's word is the offset from the container's start, the lower half the size.
 */
final class Containers {
  private Containers() {}

  static ArrayData array(SpecializedGetters in, int ordinal, UnsafeArrayData reused) {
    if (in instanceof UnsafeRow row) {
      long word = row.getLong(ordinal);
      reused.pointTo(row.getBaseObject(), row.getBaseOffset() + (word >>> 32), (int) word);
      return reused;
    }
    if (in instanceof UnsafeArrayData array) {
      long word = array.getLong(ordinal);
      reused.pointTo(array.getBaseObject(), array.getBaseOffset() + (word >>> 32), (int) word);
      return reused;
    }
    return in.getArray(ordinal);
  }

  /** The reused row has the struct's number of fields. */
  static SpecializedGetters struct(SpecializedGetters in, int ordinal, UnsafeRow reused) {
    if (in instanceof UnsafeRow row) {
      long word = row.getLong(ordinal);
      reused.pointTo(row.getBaseObject(), row.getBaseOffset() + (word >>> 32), (int) word);
      return reused;
    }
    if (in instanceof UnsafeArrayData array) {
      long word = array.getLong(ordinal);
      reused.pointTo(array.getBaseObject(), array.getBaseOffset() + (word >>> 32), (int) word);
      return reused;
    }
    return in.getStruct(ordinal, reused.numFields());
  }

  /** Where the elements of an array of primitives begin: after its length and null bits. */
  static long elements(UnsafeArrayData array) {
    return array.getBaseOffset()
        + UnsafeArrayData.calculateHeaderPortionInBytes(array.numElements());
  }

  /** Whether any element is null, by whole words of null bits. */
  static boolean anyNull(UnsafeArrayData array) {
    Object base = array.getBaseObject();
    long bits = array.getBaseOffset() + 8;
    long end = elements(array);
    long any = 0;
    for (; bits < end; bits += 8) {
      any |= Platform.getLong(base, bits);
    }
    return any != 0;
  }
}
