/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DataType;
import org.tensorflowonspark.base.TfosException;

/** Specs, types and the small reader of JSON. */
class ValuesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "image: float32[?,28,28]",
        "loss: float32[]",
        "any: string[*]",
        "a: b: int64[?]",
        "x: bool[0]"
      })
  void aSpecIsParsedAsItIsPrinted(String text) {
    assertThat(TensorSpec.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "x: float32",
        ": float32[]",
        "x: float33[]",
        "x: float32[a]",
        "x: float32[-2]"
      })
  void otherTextIsNoSpec(String text) {
    assertThatThrownBy(() -> TensorSpec.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rowsAndSizes() {
    TensorSpec image = TensorSpec.parse("image: int16[?,28,28]");
    assertThat(image.rowShape()).containsExactly(28L, 28L);
    assertThat(image.isConcrete()).isFalse();
    assertThat(image.shaped(2, 28, 28).byteSize()).isEqualTo(2 * 28 * 28 * 2);
    assertThat(image.accepts(List.of(7L, 28L, 28L))).isTrue();
    assertThat(image.accepts(List.of(7L, 28L, 29L))).isFalse();
    assertThat(image.accepts(List.of(7L, 28L))).isFalse();
    assertThat(TensorSpec.parse("x: int16[*]").accepts(List.of(3L))).isTrue();
    assertThatThrownBy(() -> TensorSpec.parse("loss: float32[]").rowShape())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> TensorSpec.parse("x: int16[*]").dims())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(image::elements).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void everyTypeIsFoundByItsConstantAndItsName(DType type) {
    assertThat(DType.of(type.dataType(), "x")).isEqualTo(type);
    assertThat(DType.parse(type.text())).isEqualTo(type);
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"DT_RESOURCE", "DT_VARIANT", "DT_COMPLEX64", "DT_COMPLEX128", "DT_QINT8"})
  void otherTypesAreRefused(DataType type) {
    assertThatThrownBy(() -> DType.of(type, "Input 'x'"))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("Input 'x' has the type " + type);
  }

  @Test
  void numbersOfEveryTypeAreRead() {
    ByteBuffer b = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    assertThat(DType.FLOAT16.toDouble(b.putShort(0, (short) 0x3e00), 0)).isEqualTo(1.5);
    assertThat(DType.FLOAT16.toDouble(b.putShort(0, (short) 0xc400), 0)).isEqualTo(-4);
    assertThat(DType.FLOAT16.toDouble(b.putShort(0, (short) 1), 0)).isEqualTo(0x1p-24);
    assertThat(DType.FLOAT16.toDouble(b.putShort(0, (short) 0xfc00), 0))
        .isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(DType.FLOAT16.toDouble(b.putShort(0, (short) 0x7e00), 0)).isNaN();
    assertThat(DType.BFLOAT16.toDouble(b.putShort(0, (short) 0xbfc0), 0)).isEqualTo(-1.5);
    assertThat(DType.INT8.toDouble(b.put(0, (byte) -3), 0)).isEqualTo(-3);
    assertThat(DType.UINT8.toDouble(b.put(0, (byte) -3), 0)).isEqualTo(253);
    assertThat(DType.INT16.toDouble(b.putShort(0, (short) -3), 0)).isEqualTo(-3);
    assertThat(DType.UINT16.toDouble(b.putShort(0, (short) -3), 0)).isEqualTo(65533);
    assertThat(DType.INT32.toDouble(b.putInt(0, -3), 0)).isEqualTo(-3);
    assertThat(DType.UINT32.toDouble(b.putInt(0, -3), 0)).isEqualTo(4294967293.0);
    assertThat(DType.INT64.toDouble(b.putLong(0, -3), 0)).isEqualTo(-3);
    assertThat(DType.UINT64.toDouble(b.putLong(0, Long.MIN_VALUE), 0)).isEqualTo(0x1p63);
    assertThat(DType.FLOAT32.toDouble(b.putFloat(0, 2.5f), 0)).isEqualTo(2.5);
    assertThat(DType.FLOAT64.toDouble(b.putDouble(0, 2.5), 0)).isEqualTo(2.5);
    assertThat(DType.BOOL.toDouble(b.put(0, (byte) 1), 0)).isEqualTo(1);
    assertThatThrownBy(() -> DType.STRING.toDouble(b, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void jsonIsRead() {
    assertThat(Json.parse(" {\"a\\n\\u00e9\": [1, -2.5e3, true, false, null, {}], \"b\": \"\"} "))
        .isEqualTo(
            Map.of(
                "a\né",
                java.util.Arrays.asList(1.0, -2500.0, true, false, null, Map.of()),
                "b",
                ""));
    String odd = "a \"quoted\" \\ name\u0001";
    assertThat(Json.parse(Json.quote(odd))).isEqualTo(odd);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[1,]",
        "{\"a\" 1}",
        "\"open",
        "nul",
        "1 2",
        "\"\\q\"",
        "\"\\u12\"",
        "[1"
      })
  void otherTextIsNoJson(String text) {
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nestingIsBounded() {
    assertThatThrownBy(() -> Json.parse("[".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("less nesting");
  }

  @Test
  void metadataIsReadAsItIsWritten() {
    Metadata metadata =
        new Metadata(
            List.of("x", "z"),
            List.of("y"),
            List.of("out"),
            List.of(),
            List.of(TensorSpec.of("w", DType.FLOAT32, 3, 1), TensorSpec.of("b", DType.FLOAT64)),
            List.of("iterations"),
            "rate");
    assertThat(Metadata.parse(metadata.toJson())).isEqualTo(metadata);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> ModelOptions.defaults().withThreads(-1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ModelOptions.defaults().withThreads(0, -2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void threadsAreWhatTensorFlowIsTold() throws IOException {
    ConfigProto free = ConfigProto.parseFrom(ModelOptions.defaults().config());
    assertThat(free.getIntraOpParallelismThreads()).isZero();
    assertThat(free.getUsePerSessionThreads()).isFalse();
    ConfigProto own = ConfigProto.parseFrom(ModelOptions.defaults().withThreads(3, 2).config());
    assertThat(own.getIntraOpParallelismThreads()).isEqualTo(3);
    assertThat(own.getInterOpParallelismThreads()).isEqualTo(2);
    assertThat(own.getUsePerSessionThreads()).isTrue();
    ModelOptions same = ModelOptions.defaults().withThreads(3, 2).withDeterministic(true);
    ConfigProto one = ConfigProto.parseFrom(same.config());
    assertThat(one.getIntraOpParallelismThreads()).isEqualTo(1);
    assertThat(one.getInterOpParallelismThreads()).isEqualTo(1);
  }
}
