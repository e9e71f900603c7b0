/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Strings or binary values, byte for byte and end to end, with the offset of each. */
final class TextColumn extends VariableColumn {
  private final Box box;
  private final BytesView bytes = new BytesView();

  TextColumn(PlannedColumn column, RowPosition position) {
    super(column, position);
    this.box = new Box(column, position, null);
  }

  @Override
  Box box() {
    return box;
  }

  @Override
  void write(SpecializedGetters in, int ordinal) {
    write(in, ordinal, 0);
  }

  private void write(SpecializedGetters in, int ordinal, int level) {
    if (level == box.levels.length) {
      bytes.point(in, ordinal, column.type());
      room(data, bytes.size());
      bytes.copyTo(data.memory(), data.size());
      end(bytes.size());
      return;
    }
    ArrayData array = Containers.array(in, ordinal, box.levels[level]);
    int n = array.numElements();
    int expected = box.expected(level);
    // Asked for before anything is written: a value that is too long fails here.
    byte[] padding = n == expected ? null : box.padding(level, n);
    for (int i = 0; i < n; i++) {
      if (array.isNullAt(i)) {
        repeat(box.nullInside(level, i), box.strides[level]);
      } else {
        write(array, i, level + 1);
      }
    }
    if (padding != null) {
      repeat(padding, (expected - n) * box.strides[level]);
    }
  }

  @Override
  void fill(byte[] element) {
    repeat(element, box.elements);
  }

  private void repeat(byte[] element, int times) {
    for (int i = 0; i < times; i++) {
      room(data, element.length);
      System.arraycopy(element, 0, data.memory(), data.size(), element.length);
      end(element.length);
    }
  }

  private void end(int length) {
    data.size(data.size() + length);
    room(elementOffsets, Integer.BYTES);
    elementOffsets.putInt(data.size());
  }
}
