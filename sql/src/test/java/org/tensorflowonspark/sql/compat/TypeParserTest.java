/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;

class TypeParserTest {
  private static StructType one(String name, DataType type) {
    return new StructType().add(name, type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f1",
        "2",
        "col.with.dots",
        "größe",
        "数据",
        "a-b",
        "a b",
        "a/b",
        "select",
        "x(1)",
        "naïve_1"
      })
  void namesMayHoldDigitsDotsAndLettersOfAnyLanguage(String name) {
    assertThat(DFUtil.parseSchema("struct<" + name + ":int>"))
        .isEqualTo(one(name, DataTypes.IntegerType));
  }

  @Test
  void namesInBackticksMayHoldAnything() {
    assertThat(DFUtil.parseSchema("struct<`a:b,<``c>`:int,d:string>"))
        .isEqualTo(one("a:b,<`c>", DataTypes.IntegerType).add("d", DataTypes.StringType));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "binary|binary",
        "boolean|boolean",
        "tinyint|tinyint",
        "smallint|smallint",
        "int|int",
        "integer|int",
        "long|bigint",
        "bigint|bigint",
        "float|float",
        "double|double",
        "string|string",
        "date|date",
        "timestamp|timestamp",
        "decimal(10,2)|decimal(10,2)",
        "array<float>|array<float>",
        "ARRAY< Int >|array<int>",
        "array<array<binary>>|array<array<binary>>",
        "struct<x:int,y:array<string>>|struct<x:int,y:array<string>>",
        "struct<>|struct<>"
      })
  void readsTheTypesThatFeaturesCanHold(String text, String simple) {
    assertThat(DFUtil.parseSchema("struct<v:" + text + ",w:int>"))
        .isEqualTo(DFUtil.parseSchema("struct< v : " + simple + " , w: int >"))
        .extracting(StructType::simpleString)
        .isEqualTo("struct<v:" + simple + ",w:int>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "int",
        "array<int>",
        "struct<",
        "struct<a:int",
        "struct<a:int>>",
        "struct<a:int,>",
        "struct<a>",
        "struct<:int>",
        "struct<a:>",
        "struct<a:nothing>",
        "struct<a:b int>",
        "struct<a:int;b:int>",
        "struct<a:map<string,int>>",
        "struct<`a:int>",
        "struct<a:array<int>",
        "struct<a:decimal(10,2>",
        "struct<a:int> x",
        "struct<a:decimal(99,2)>"
      })
  void anyOtherTextIsAnErrorThatShowsIt(String text) {
    assertThatThrownBy(() -> DFUtil.parseSchema(text))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("[TFOS-COMPAT-001] Cannot read the type '" + text + "'");
  }

  @Test
  void nestingWithoutEndIsAnError() {
    assertThatThrownBy(() -> DFUtil.parseSchema("struct<a:" + "array<".repeat(100_000)))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("nested deeper");
  }
}
