/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any schema, any rows, any choice of columns: nothing is lost, and no row shows another's values.
 */
class RandomRowsTest {
  private static final int ROWS = 40;

  /** Spark's internal values of columns that a directory's name would give. */
  private static final StructType PARTITIONS =
      Rows.schema(
          "p1", DataTypes.StringType,
          "p2", DataTypes.IntegerType,
          "p3", DataTypes.createDecimalType(38, 3),
          "p4", DataTypes.StringType);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void chosenColumnsComeBackWithConstantsAppended(long seed) throws Exception {
    RandomValues values = new RandomValues(seed, true);
    RecordType type = seed % 2 == 0 ? RecordType.EXAMPLE : RecordType.SEQUENCE_EXAMPLE;
    StructType schema = values.schema(1 + values.random().nextInt(70), seed % 2 != 0);
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < schema.length(); i++) {
      if (values.random().nextInt(3) > 0) {
        chosen.add(i);
      }
    }
    Collections.shuffle(chosen, values.random());
    StructType wanted = new StructType();
    for (int i : chosen) {
      wanted = wanted.add(schema.fields()[i]);
    }
    Object[] constants = values.row(PARTITIONS, 0.4);
    StructType both = wanted;
    for (var field : PARTITIONS.fields()) {
      both = both.add(field);
    }
    RowEncoder encoder = RowEncoder.withExactNumbers(schema, type);
    RowDecoder decoder =
        RowDecoder.of(wanted, type).withConstants(PARTITIONS, Rows.generic(constants));

    double nulls = values.random().nextDouble();
    for (int n = 0; n < ROWS; n++) {
      Object[] row = values.row(schema, nulls);
      Object[] expected = new Object[both.length()];
      for (int i = 0; i < chosen.size(); i++) {
        expected[i] = row[chosen.get(i)];
      }
      System.arraycopy(constants, 0, expected, chosen.size(), constants.length);

      byte[] record = Rows.encode(encoder, Rows.unsafe(schema, row));
      UnsafeRow back = Rows.decode(decoder, record);

      UnsafeRow wantedRow = Rows.unsafe(both, expected);
      assertThat(back.getBytes())
          .as("row %s of %s, seed %s", n, both.simpleString(), seed)
          .isEqualTo(wantedRow.getBytes());
    }
  }
}
