/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.columns;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.tensorflowonspark.base.TfosException;

/**
 * Checked instructions for turning the rows of one schema into tensors. Made on the driver, before
 * any task runs, and serialised into the feed tasks. Immutable.
 *
 * <p>Conversions keep values exact, with one exception that everybody expects, and say so
 * otherwise:
 *
 * <table>
 * <caption>Conversions</caption>
 * <tr><th>column</th><th>tensor</th><th></th></tr>
 * <tr><td>byte, short, int, long, boolean (0 or 1), decimal without a scale, date (days since 1970),
 * timestamp (microseconds since 1970)</td><td>any number or bool</td><td>checked value by value: the
 * tensor must hold exactly that number, so a label of 3 stored as a long fits float32 and int8, and
 * 16777217 into float32 is an error with its row (with allowLossy it is rounded)</td></tr>
 * <tr><td>float, double, decimal, ML vector</td><td>float32, float64</td><td>rounded to the nearest;
 * a finite number beyond the range of float32 is an error (with allowLossy infinite)</td></tr>
 * <tr><td>float, double, decimal, ML vector</td><td>integers, bool</td><td>refused; with allowLossy
 * cut towards zero, and still an error when out of range</td></tr>
 * <tr><td>string</td><td>string</td><td>its UTF-8 bytes</td></tr>
 * <tr><td>binary</td><td>string, or uint8 with one more dimension</td><td>its bytes</td></tr>
 * </table>
 *
 * <p>Arrays of these, nested to any depth, take as many dimensions; a vector or binary value counts
 * as one more. Apart from equal ranks these fit too, in row-major order: a flat value and a known
 * shape of equally many elements, a scalar and a shape of one element, and missing dimensions of 1
 * at the end.
 */
public final class ColumnPlan implements Serializable {
  private static final long serialVersionUID = 1L;

  private final List<PlannedColumn> columns;

  private ColumnPlan(List<PlannedColumn> columns) {
    this.columns = List.copyOf(columns);
  }

  /**
   * Checks all targets against a schema.
   *
   * @throws TfosException for the first target that cannot be filled, naming column, type and
   *     remedy
   */
  public static ColumnPlan of(StructType schema, List<ColumnTarget> targets) {
    if (targets.isEmpty()) {
      throw new TfosException(
          ColumnError.INVALID_TARGET,
          "No column is mapped to a tensor",
          "Map at least one of " + Arrays.toString(schema.fieldNames()) + ".");
    }
    Set<String> tensors = new HashSet<>();
    List<PlannedColumn> columns = new ArrayList<>();
    for (ColumnTarget target : targets) {
      if (!tensors.add(target.tensor())) {
        throw new TfosException(
            ColumnError.INVALID_TARGET,
            "Tensor '" + target.tensor() + "' is mapped twice, the second time to " + target,
            "Map each tensor to one column.");
      }
      columns.add(ColumnPlanner.plan(schema, target));
    }
    return new ColumnPlan(columns);
  }

  /** The targets, in the order of the columns of every chunk. */
  public List<ColumnTarget> targets() {
    return columns.stream().map(PlannedColumn::target).toList();
  }

  /**
   * A number that differs, most likely, between plans whose chunks must not be mixed; the same in
   * every process.
   */
  public int fingerprint() {
    return fingerprint(targets());
  }

  static int fingerprint(List<ColumnTarget> targets) {
    int hash = targets.size();
    for (ColumnTarget target : targets) {
      hash = hash * 31 + target.tensor().hashCode();
      hash = hash * 31 + ChunkColumn.id(target.dtype());
      hash = hash * 31 + Arrays.hashCode(target.rowShape());
    }
    return hash;
  }

  /**
   * How many rows make a chunk of about that many bytes, at least 1; only an upper bound when a
   * column has no fixed size.
   */
  public int rowsFor(long chunkBytes) {
    long row = columns.stream().mapToLong(PlannedColumn::fixedRowBytes).sum();
    return (int) Math.max(1, Math.min(1 << 20, chunkBytes / Math.max(1, row)));
  }

  List<PlannedColumn> columns() {
    return columns;
  }

  @Override
  public String toString() {
    return targets().toString();
  }
}
