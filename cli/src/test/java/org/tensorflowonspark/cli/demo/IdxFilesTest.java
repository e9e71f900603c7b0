/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflowonspark.base.TfosException;

class IdxFilesTest {
  private static final String IMAGES = "train-images-idx3-ubyte";
  private static final String LABELS = "train-labels-idx1-ubyte";

  @TempDir Path folder;

  @BeforeEach
  void threeImagesOfTwoByTwo() throws IOException {
    write(IMAGES, images(0x803, 3, 2, 2, 12));
    write(LABELS, labels(0x801, 3, 7, 0, 9));
  }

  @Test
  void readsPlainFiles() {
    LabelledImages read = IdxFiles.read(folder, "train");
    assertThat(read.count()).isEqualTo(3);
    assertThat(read.imageSize()).isEqualTo(4);
    assertThat(read.labels()).containsExactly(7, 0, 9);
    assertThat(read.pixels()).hasSize(12).startsWith(0, 1, 2);
  }

  @Test
  void readsGzipFiles() throws IOException {
    for (String name : new String[] {IMAGES, LABELS}) {
      Files.write(folder.resolve(name + ".gz"), gzip(Files.readAllBytes(folder.resolve(name))));
      Files.delete(folder.resolve(name));
    }
    assertThat(IdxFiles.read(folder, "train").labels()).containsExactly(7, 0, 9);
  }

  @Test
  void namesTheMissingFile() {
    assertThatThrownBy(() -> IdxFiles.read(folder, "t10k"))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("TFOS-CLI-001")
        .hasMessageContaining("t10k-images-idx3-ubyte");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 4, 10, 15})
  void headerCutAnywhere(int length) throws IOException {
    write(IMAGES, Arrays.copyOf(images(0x803, 3, 2, 2, 12), length));
    fails(IMAGES, "at byte " + length, "the file ends within");
  }

  @Test
  void pixelsCut() throws IOException {
    write(IMAGES, Arrays.copyOf(images(0x803, 3, 2, 2, 12), 20));
    fails(IMAGES, "at byte 20", "8 bytes are missing");
  }

  @Test
  void bytesAfterTheEnd() throws IOException {
    write(IMAGES, images(0x803, 3, 2, 2, 13));
    fails(IMAGES, "at byte 28", "bytes after the end");
  }

  @Test
  void anotherKindOfFile() throws IOException {
    write(IMAGES, labels(0x801, 3, 1, 2, 3));
    fails(IMAGES, "at byte 0", "magic number 0x00000801 is not 0x00000803");
  }

  @Test
  void headerThatPromisesTooMuchTakesNoMemory() throws IOException {
    write(IMAGES, images(0x803, 0x7fffffff, 28, 28, 12));
    fails(IMAGES, "at byte 16", "promises");
    write(IMAGES, images(0x803, 500_000_000, 2, 2, 12));
    fails(IMAGES, "at byte 28", "bytes are missing");
    write(IMAGES, images(0x803, -1, 2, 2, 12));
    fails(IMAGES, "at byte 4", "number of images is 4294967295");
  }

  @Test
  void labelThatIsNoDigit() throws IOException {
    write(LABELS, labels(0x801, 3, 7, 10, 9));
    fails(LABELS, "at byte 9", "label 10 is not a digit");
  }

  @Test
  void countsThatDiffer() throws IOException {
    write(LABELS, labels(0x801, 2, 7, 1));
    fails(LABELS, "2 labels for the 3 images");
  }

  @Test
  void gzipCutOrDamaged() throws IOException {
    byte[] whole = gzip(images(0x803, 3, 2, 2, 12));
    write(IMAGES, Arrays.copyOf(whole, whole.length - 9));
    fails(IMAGES, "damaged or cut");
    write(IMAGES, Arrays.copyOf(whole, 5));
    fails(IMAGES, "gzip header is damaged");
    byte[] damaged = whole.clone();
    damaged[whole.length - 6] ^= 1; // the checksum
    write(IMAGES, damaged);
    fails(IMAGES, "damaged or cut");
  }

  private void fails(String file, String... parts) {
    assertThatThrownBy(() -> IdxFiles.read(folder, "train"))
        .isInstanceOf(TfosException.class)
        .hasMessageContaining("TFOS-CLI-002")
        .hasMessageContaining(folder.resolve(file).toString())
        .hasMessageContainingAll(parts);
  }

  private void write(String name, byte[] bytes) throws IOException {
    Files.write(folder.resolve(name), bytes);
  }

  static byte[] images(int magic, int count, int rows, int columns, int pixels) {
    ByteBuffer buffer = ByteBuffer.allocate(16 + pixels);
    buffer.putInt(magic).putInt(count).putInt(rows).putInt(columns);
    for (int i = 0; i < pixels; i++) {
      buffer.put((byte) i);
    }
    return buffer.array();
  }

  static byte[] labels(int magic, int count, int... labels) {
    ByteBuffer buffer = ByteBuffer.allocate(8 + labels.length).putInt(magic).putInt(count);
    for (int label : labels) {
      buffer.put((byte) label);
    }
    return buffer.array();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }
}
