/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordWriterTest {

  @ParameterizedTest
  @EnumSource(Compression.class)
  void closingCompletesTheFileOnce(Compression compression) throws IOException {
    Sink sink = new Sink(Integer.MAX_VALUE);
    RecordWriter writer = RecordWriter.to(sink, compression);
    writer.write(new byte[] {9, 1, 2, 3, 9}, 1, 3);
    assertThat(writer.records()).isEqualTo(1);
    writer.close();
    int size = sink.size();
    writer.close();
    assertThat(sink.size()).isEqualTo(size);
    assertThat(sink.closed).isEqualTo(1);
    assertThat(RecordFixtures.strict(new MemorySource(sink.toByteArray()), compression).records())
        .isEqualTo(RecordFixtures.texts(List.of(new byte[] {1, 2, 3})));
    assertThatThrownBy(() -> writer.write(new byte[1], 0, 1)).hasMessageContaining("closed");
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"GZIP", "ZLIB"})
  void aCompressedFileWhoseWritingFailedIsNotTakenForWhole(Compression compression)
      throws IOException {
    Sink sink = new Sink(500_000);
    RecordWriter writer = RecordWriter.to(sink, compression);
    byte[] record = RecordFixtures.random(1, 100_000).get(0);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                writer.write(record, 0, record.length);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");
    assertThatThrownBy(() -> writer.write(record, 0, 1)).hasMessageContaining("failed before");
    sink.room = Integer.MAX_VALUE;
    writer.close();
    assertThat(sink.closed).isEqualTo(1);
    assertThatThrownBy(
            () -> RecordFixtures.strict(new MemorySource(sink.toByteArray()), compression))
        .isInstanceOf(CorruptRecordException.class)
        .hasMessageContaining("TFOS-RECORD-003");
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aFailureOfTheLastBytesIsToldByClosing(Compression compression) throws IOException {
    Sink sink = new Sink(20);
    RecordWriter writer = RecordWriter.to(sink, compression);
    writer.write(RecordFixtures.random(2, 100).get(0), 0, 100);
    assertThatThrownBy(writer::close).isInstanceOf(IOException.class).hasMessage("disk full");
    assertThat(sink.closed).isEqualTo(1);
  }

  @Test
  void whatCannotBeReadBackOrIsOutsideTheArrayIsRefusedAndHurtsNothing() throws IOException {
    Sink sink = new Sink(Integer.MAX_VALUE);
    try (RecordWriter writer = RecordWriter.to(sink, Compression.NONE)) {
      assertThatThrownBy(() -> writer.write(new byte[0], 0, Integer.MAX_VALUE))
          .hasMessageContaining("TFOS-RECORD-008")
          .hasMessageContaining(Integer.toString(Integer.MAX_VALUE));
      assertThatThrownBy(() -> writer.write(new byte[4], 2, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      writer.write(new byte[4], 2, 2);
    }
    assertThat(
            RecordFixtures.strict(new MemorySource(sink.toByteArray()), Compression.NONE).records())
        .isEqualTo(RecordFixtures.texts(List.of(new byte[2])));
  }

  /** Takes so many bytes. */
  private static final class Sink extends OutputStream {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    int room;
    int closed;

    Sink(int room) {
      this.room = room;
    }

    @Override
    public void write(int value) {
      throw new AssertionError("byte by byte");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (length > room) {
        throw new IOException("disk full");
      }
      room -= length;
      taken.write(bytes, offset, length);
    }

    int size() {
      return taken.size();
    }

    byte[] toByteArray() {
      return taken.toByteArray();
    }

    @Override
    public void close() {
      closed++;
    }
  }
}
