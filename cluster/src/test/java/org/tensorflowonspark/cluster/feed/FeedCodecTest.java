/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.tensorflowonspark.cluster.columns.ColumnTarget;
import org.tensorflowonspark.tensorflow.DType;
import org.tensorflowonspark.tensorflow.TensorSpec;

class FeedCodecTest {

  @Test
  void aFeedSpecComesBackAsItWas() {
    FeedSpec spec =
        new FeedSpec(
            List.of(
                ColumnTarget.of("x", "image.data", DType.FLOAT32, 28, 28).lossy(),
                ColumnTarget.of("t", "text", DType.STRING, -1).padded("").nullsAs("none")),
            64,
            true,
            List.of(TensorSpec.of("y", DType.FLOAT32, -1, 10)));

    assertThat(FeedSpec.decode(spec.encode())).isEqualTo(spec);
    assertThat(spec.encode()).isEqualTo(FeedSpec.decode(spec.encode()).encode());
  }

  @Test
  void aRequestComesBackAsItWasAndACutOneIsRefused() {
    FeedRequest request =
        new FeedRequest(
            FeedRequest.Kind.OFFER, "tr\u00e4in", 3, 7, 1, 50, ByteBuffer.wrap(new byte[] {9, 8}));
    ByteBuffer bytes = request.encode();

    assertThat(FeedRequest.decode(bytes)).isEqualTo(request);
    for (int length = 0; length < 19; length++) {
      ByteBuffer cut = bytes.duplicate().limit(length);
      assertThatThrownBy(() -> FeedRequest.decode(cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
    ByteBuffer unknown = ByteBuffer.wrap(Arrays.copyOf(new byte[] {42}, 30));
    assertThatThrownBy(() -> FeedRequest.decode(unknown)).hasMessageContaining("42");
  }

  @Test
  void answersComeBackAsTheyWereAndCutOnesAreRefused() {
    StructType schema =
        new StructType().add("a", DataTypes.LongType).add("b", DataTypes.StringType);
    UnsafeProjection projection = UnsafeProjection.create(schema);
    List<UnsafeRow> rows =
        List.of(
            projection.apply(row(1, "one")).copy(),
            projection.apply(row(2, "a rather longer text")).copy());
    ByteBuffer bytes = AnswerCodec.encode(rows);

    assertThat(AnswerCodec.decode(bytes, 2)).isEqualTo(rows);
    assertThat(AnswerCodec.decode(AnswerCodec.encode(List.of()), 2)).isEmpty();
    for (int length = 0; length < bytes.limit(); length++) {
      ByteBuffer cut = bytes.duplicate().limit(length);
      assertThatThrownBy(() -> AnswerCodec.decode(cut, 2))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static GenericInternalRow row(long a, String b) {
    return new GenericInternalRow(new Object[] {a, UTF8String.fromString(b)});
  }
}
