/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.records;

import java.io.IOException;
import java.util.function.Consumer;
import org.tensorflowonspark.sql.hadoop.RecordFile;
import org.tensorflowonspark.sql.hadoop.RecordFiles;
import org.tensorflowonspark.sql.rows.RecordType;
import org.tensorflowonspark.tfrecord.CorruptRecordException;
import org.tensorflowonspark.tfrecord.ReadOptions;
import org.tensorflowonspark.tfrecord.RecordReader;
import org.tensorflowonspark.tfrecord.RecordSource;
import org.tensorflowonspark.tfrecord.RecordVerifier;
import org.tensorflowonspark.tfrecord.example.ExampleScanner;
import org.tensorflowonspark.tfrecord.example.FeatureKind;
import org.tensorflowonspark.tfrecord.example.FeatureVisitor;
import org.tensorflowonspark.tfrecord.example.MalformedExampleException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tfos records verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    exitCodeOnInvalidInput = 2,
    exitCodeOnExecutionException = 1,
    sortOptions = false,
    description = {
      "Checks every length and every checksum of the files, and names every damaged place.",
      "Offsets in compressed files are those of the plain content. Exit code 1 when there is damage."
    })
final class VerifyCommand extends ReadingCommand {
  @Option(
      names = "--record-type",
      paramLabel = "TYPE",
      defaultValue = "ByteArray",
      converter = ReadingCommand.Types.class,
      completionCandidates = ReadingCommand.Types.class,
      description =
          "Also checks that each record is one: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}, anything goes).")
  private RecordType type = RecordType.BYTE_ARRAY;

  private final ExampleScanner scanner = new ExampleScanner();
  private long records;
  private long findings;
  private long lost;

  @Override
  int run(RecordFiles files, ReadingProgress progress) {
    for (RecordFile file : files.files()) {
      verify(file, progress, finding -> found(finding, progress));
      progress.done(file);
    }
    progress.clear();
    out().println(json() ? summary(files) : text(files));
    return findings == 0 ? 0 : 1;
  }

  /** One file that cannot be read does not keep the others from being looked at. */
  private void verify(RecordFile file, ReadingProgress progress, Consumer<Finding> findings) {
    try (RecordSource source = source(file)) {
      RecordVerifier.verify(
          source,
          ReadOptions.of(file.compression()),
          damage -> findings.accept(Finding.of(damage)),
          reader -> check(reader, findings),
          position -> progress.at(file, position));
    } catch (CorruptRecordException e) {
      findings.accept(Finding.of(e.damage()));
    } catch (IOException e) {
      findings.accept(Finding.unreadable(file.path(), e));
    }
  }

  private void check(RecordReader reader, Consumer<Finding> findings) {
    records++;
    byte[] buffer = reader.buffer();
    try {
      switch (type) {
        case EXAMPLE -> scanner.example(buffer, reader.offset(), reader.length(), Deaf.VISITOR);
        case SEQUENCE_EXAMPLE ->
            scanner.sequenceExample(buffer, reader.offset(), reader.length(), Deaf.VISITOR);
        case BYTE_ARRAY -> {}
      }
    } catch (MalformedExampleException e) {
      findings.accept(Finding.malformed(reader, e.getMessage()));
    }
  }

  private void found(Finding finding, ReadingProgress progress) {
    findings++;
    lost += finding.lost();
    progress.clear();
    out().println(json() ? finding.json() : finding.text());
    out().flush();
  }

  private Json summary(RecordFiles files) {
    return Json.object()
        .with("files", files.files().size())
        .with("records", records)
        .with("bytes", files.bytes())
        .with("damaged", findings)
        .with("lost", lost);
  }

  private String text(RecordFiles files) {
    return String.format(
        "%s, %s, %s: %s",
        Sizes.counted(files.files().size(), "file"),
        Sizes.counted(records, "record"),
        Sizes.text(files.bytes()),
        findings == 0
            ? "no damage"
            : Sizes.counted(findings, "damaged place") + ", " + Sizes.counted(lost, "byte"));
  }

  /** The scan itself is the check. */
  private enum Deaf implements FeatureVisitor {
    VISITOR;

    @Override
    public void onFeature(String name, FeatureKind kind, int count) {}

    @Override
    public void onFeatureList(String name, FeatureKind kind, int steps, boolean mixed) {}
  }
}
