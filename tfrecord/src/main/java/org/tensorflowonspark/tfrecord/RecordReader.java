/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a file, or of a part of one, one after the other into a buffer of its own.
 * One thread; closing it closes the source.
 *
 * <p>A file of no bytes has no records, compressed or not.
 */
public final class RecordReader implements Closeable {
  private final RecordSource source;
  private final ReadOptions options;
  private final PlainInput input;
  private final Frame frame = new Frame();

  /** Bytes of the file; -1 when it is compressed, so that nobody knows before its end. */
  private final long fileLength;

  /** End of the part. */
  private final long end;

  private final @Nullable Resync resync;

  /** Where the next part begins; -1 until this one is through. */
  private long nextPart = -1;

  private final ReadBuffer data;
  private boolean done;

  /** What ended the reading; whoever goes on in spite of it is told again. */
  private @Nullable CorruptRecordException failure;

  private long position;
  private int offset;
  private int length;

  private RecordReader(RecordSource source, long start, long end, ReadOptions options)
      throws IOException {
    this.source = source;
    this.options = options;
    if (options.compression() == Compression.NONE) {
      fileLength = source.length();
      this.end = Math.min(end, fileLength);
      resync = new Resync(source, fileLength, options.maxRecordLength());
      long first = start <= 0 ? 0 : start >= fileLength ? fileLength : resync.find(start);
      // Beginning behind its own end, a part has nothing, and neither has it anything to check.
      done = start >= this.end || first >= this.end;
      input = PlainInput.raw(source, first, fileLength);
      data = new ReadBuffer(input, first, fileLength - first);
    } else {
      fileLength = -1;
      this.end = Long.MAX_VALUE;
      resync = null;
      input = new InflatingInput(source, options.compression());
      data = new ReadBuffer(input, 0, Long.MAX_VALUE);
    }
  }

  /** Reads a whole file; when it cannot be opened the source is closed. */
  public static RecordReader open(RecordSource source, ReadOptions options) throws IOException {
    return open(source, 0, Long.MAX_VALUE, options);
  }

  /**
   * Reads the records whose headers begin in {@code [start, end)} of an uncompressed file: however
   * a file is cut, each record is in exactly one part. The first header is found by its checksum
   * and those that follow it; when the part is through, the reader looks for the first header of
   * the next part in the same way and fails when that is not where this part ends, so that no
   * record can be lost or read twice in silence.
   *
   * <p>Where headers are damaged, the records before the damage may belong to an earlier part; that
   * part then goes on as far.
   *
   * <p>When it cannot be opened the source is closed.
   *
   * @throws IllegalArgumentException for a part of a compressed file that is not the whole file
   */
  public static RecordReader open(RecordSource source, long start, long end, ReadOptions options)
      throws IOException {
    try {
      check(source, start, end, options);
      return new RecordReader(source, start, end, options);
    } catch (IOException | RuntimeException e) {
      try {
        source.close();
      } catch (IOException onClose) {
        e.addSuppressed(onClose);
      }
      throw e;
    }
  }

  private static void check(RecordSource source, long start, long end, ReadOptions options)
      throws IOException {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("A part from " + start + " to " + end);
    }
    if (options.compression() != Compression.NONE && (start > 0 || end < source.length())) {
      throw new IllegalArgumentException(
          source.name() + " is compressed, so it cannot be read in parts");
    }
  }

  /**
   * Goes on to the next record.
   *
   * @return false behind the last one
   * @throws CorruptRecordException for damage, unless it is tolerated
   * @throws IOException when the source cannot be read
   */
  public boolean next() throws IOException {
    if (failure != null) {
      throw failure;
    }
    while (!done) {
      position = data.position();
      if (position >= end && isThrough()) {
        break;
      }
      int there = data.ensure(Frame.HEADER);
      if (there < Frame.HEADER) {
        endOfFile(there);
        break;
      }
      long claimed = Frame.readLong(data.bytes, data.next);
      if (!frame.isHeader(data.bytes, data.next)) {
        passOverHeader(claimed);
      } else if (claimed < 0 || claimed > options.maxRecordLength()) {
        passOverLong(claimed);
      } else if (take((int) claimed)) {
        return true;
      }
    }
    done = true;
    return false;
  }

  /** Whether the record at hand is the next part's. */
  private boolean isThrough() throws IOException {
    if (nextPart < 0) {
      nextPart = resync == null || end >= fileLength ? fileLength : resync.find(end);
    }
    if (position < nextPart) {
      return false;
    }
    if (position > nextPart) {
      throw fail(
          new Damage(
              RecordError.AMBIGUOUS_SPLIT,
              file(),
              position,
              0,
              "the part of the file that ends here was to end at byte "
                  + nextPart
                  + ", where something looks like a record"),
          null);
    }
    return true;
  }

  /** Takes the record at hand whose header says {@code bytes}; false when it is damaged. */
  private boolean take(int bytes) throws IOException {
    if (fileLength >= 0 && bytes > fileLength - position - Frame.OVERHEAD) {
      truncated(bytes, fileLength - position);
      return false;
    }
    int whole = Frame.OVERHEAD + bytes;
    int there = data.ensure(whole);
    if (there < whole) {
      truncated(bytes, there);
      return false;
    }
    int start = data.next + Frame.HEADER;
    data.next += whole;
    if (options.checkCrc()
        && frame.maskedCrc(data.bytes, start, bytes) != Frame.readInt(data.bytes, start + bytes)) {
      damaged(
          RecordError.CORRUPT_DATA,
          whole,
          "the data of a record of " + bytes + " bytes does not match its checksum");
      return false;
    }
    offset = start;
    length = bytes;
    return true;
  }

  private void endOfFile(int there) {
    if (streamBroke(there)) {
      return;
    }
    if (there > 0) {
      damaged(
          RecordError.TRUNCATED,
          there,
          "the file ends " + there + " bytes into the header of a record");
    } else if (fileLength > position) {
      damaged(
          RecordError.TRUNCATED,
          fileLength - position,
          "the file ends here, but had " + fileLength + " bytes when it was opened");
    }
  }

  private void truncated(int bytes, long there) {
    done = true;
    if (!streamBroke(there)) {
      damaged(
          RecordError.TRUNCATED,
          there,
          "a record of "
              + bytes
              + " bytes begins here, but the file has only "
              + there
              + " of its "
              + ((long) bytes + Frame.OVERHEAD)
              + " bytes");
    }
  }

  /** Tells of damage of the compression, if that is why the content ended here. */
  private boolean streamBroke(long there) {
    CorruptStreamException broken = data.broken();
    if (broken != null) {
      damaged(
          new Damage(broken.error(), file(), position, there, String.valueOf(broken.getMessage())),
          broken);
    }
    return broken != null;
  }

  private void passOverHeader(long claimed) throws IOException {
    passOver(
        RecordError.CORRUPT_LENGTH,
        "the length of a record ("
            + Long.toUnsignedString(claimed)
            + ") does not match its checksum; bytes are lost here");
  }

  private void passOverLong(long claimed) throws IOException {
    String reason =
        "a record of "
            + Long.toUnsignedString(claimed)
            + " bytes is longer than the longest allowed ("
            + options.maxRecordLength()
            + ")";
    long behind = position + Frame.OVERHEAD + claimed;
    if (options.damageListener() != null
        && claimed > 0
        && behind > 0
        && (resync == null || behind <= fileLength)) {
      data.moveTo(behind);
      damaged(RecordError.RECORD_TOO_LONG, data.position() - position, reason);
    } else {
      passOver(RecordError.RECORD_TOO_LONG, reason);
    }
  }

  /** Passes over a header that does not say where the next one is. */
  private void passOver(RecordError error, String reason) throws IOException {
    if (options.damageListener() == null) {
      damaged(error, Frame.HEADER, reason);
    } else if (resync != null) {
      long behind = resync.findBehind(position);
      damaged(error, behind - position, reason);
      data.moveTo(behind);
    } else {
      // Nothing can be looked for in a stream; how long it is and whether it is whole still counts.
      data.moveTo(Long.MAX_VALUE);
      damaged(error, data.position() - position, reason);
    }
  }

  private void damaged(RecordError error, long bytes, String reason) {
    damaged(new Damage(error, file(), position, bytes, reason), null);
  }

  private void damaged(Damage damage, @Nullable Throwable cause) {
    DamageListener listener = options.damageListener();
    if (listener == null) {
      throw fail(damage, cause);
    }
    listener.onDamage(damage);
  }

  private CorruptRecordException fail(Damage damage, @Nullable Throwable cause) {
    CorruptRecordException thrown =
        new CorruptRecordException(damage, Remedies.of(damage, options), cause);
    failure = thrown;
    return thrown;
  }

  /** The array that holds the record; valid until the next call of {@link #next}. */
  public byte[] buffer() {
    return data.bytes;
  }

  /** Where the record's data begins in {@link #buffer}. */
  public int offset() {
    return offset;
  }

  /** Bytes of the record's data. */
  public int length() {
    return length;
  }

  /** Where the record's header begins, in the file or, when compressed, in its plain content. */
  public long position() {
    return position;
  }

  /** Name of the file. */
  public String file() {
    return source.name();
  }

  @Override
  public void close() throws IOException {
    done = true;
    try {
      input.close();
    } finally {
      source.close();
    }
  }
}
