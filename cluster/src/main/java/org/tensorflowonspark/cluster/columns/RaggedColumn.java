/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** Numbers whose rows differ in shape: one dense box after the other. */
final class RaggedColumn extends VariableColumn {
  private final NestedCopy copy;
  private final int bytes;

  RaggedColumn(PlannedColumn column, RowPosition position) {
    super(column, position);
    this.copy = new NestedCopy(column, position);
    this.bytes = column.dtype().bytes();
  }

  @Override
  Box box() {
    return copy.box();
  }

  @Override
  void write(SpecializedGetters in, int ordinal) {
    int length = copy.box().elements * bytes;
    room(data, length);
    copy.copy(in, ordinal, data.memory(), data.size());
    data.size(data.size() + length);
  }

  @Override
  void fill(byte[] element) {
    int length = copy.box().elements * bytes;
    room(data, length);
    Constants.fill(data.memory(), data.size(), length, element);
    data.size(data.size() + length);
  }
}
