/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a file, or of a part of one, one after the other into a buffer of its own.
 * One thread; closing it closes the source.
 *
 * <p>A file of no bytes has no records, compressed or not.
 */
public final class RecordReader implements Closeable {
  /** Small enough to stay in the cache of a core. */
  private static final int BUFFER = 128 << 10;

  private static final String REMEDY =
      "Write the file anew, or have damage passed over and counted.";

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

  private byte[] buffer;
  private int next;
  private int limit;

  /** Where {@code buffer[0]} is in the plain content. */
  private long base;

  private @Nullable CorruptStreamException broken;
  private boolean inputEnded;
  private boolean done;

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
      base = start <= 0 ? 0 : start >= fileLength ? fileLength : resync.find(start);
      // Beginning behind its own end, a part has nothing, and neither has it anything to check.
      done = start >= this.end || base >= this.end;
      input = PlainInput.raw(source, base, fileLength);
      buffer = new byte[(int) Math.max(64, Math.min(BUFFER, fileLength - base))];
    } else {
      fileLength = -1;
      this.end = Long.MAX_VALUE;
      resync = null;
      input = new InflatingInput(source, options.compression());
      buffer = new byte[BUFFER];
    }
  }

  /** Reads a whole file. */
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
   * @throws IllegalArgumentException for a part of a compressed file that is not the whole file
   */
  public static RecordReader open(RecordSource source, long start, long end, ReadOptions options)
      throws IOException {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("A part from " + start + " to " + end);
    }
    if (options.compression() != Compression.NONE && (start > 0 || end < source.length())) {
      throw new IllegalArgumentException(
          source.name() + " is compressed, so it cannot be read in parts");
    }
    return new RecordReader(source, start, end, options);
  }

  /**
   * Goes on to the next record.
   *
   * @return false behind the last one
   * @throws CorruptRecordException for damage, unless it is tolerated
   * @throws IOException when the source cannot be read
   */
  public boolean next() throws IOException {
    while (!done) {
      position = base + next;
      if (position >= end && isThrough()) {
        break;
      }
      int there = ensure(Frame.HEADER);
      if (there < Frame.HEADER) {
        endOfFile(there);
        break;
      }
      long claimed = Frame.readLong(buffer, next);
      if (!frame.isHeader(buffer, next)) {
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
      throw ambiguous();
    }
    return true;
  }

  private CorruptRecordException ambiguous() {
    return new CorruptRecordException(
        new Damage(
            RecordError.AMBIGUOUS_SPLIT,
            file(),
            position,
            0,
            "the part of the file that ends here was to end at byte "
                + nextPart
                + ", where something looks like a record"),
        "Read the file whole (option splittable=false): its records seem to hold records.",
        null);
  }

  /** Takes the record at hand whose header says {@code bytes}; false when it is damaged. */
  private boolean take(int bytes) throws IOException {
    if (fileLength >= 0 && bytes > fileLength - position - Frame.OVERHEAD) {
      truncated(bytes, fileLength - position);
      return false;
    }
    int whole = Frame.OVERHEAD + bytes;
    int there = ensure(whole);
    if (there < whole) {
      truncated(bytes, there);
      return false;
    }
    int start = next + Frame.HEADER;
    next += whole;
    if (options.checkCrc()
        && frame.maskedCrc(buffer, start, bytes) != Frame.readInt(buffer, start + bytes)) {
      damaged(
          RecordError.CORRUPT_DATA,
          whole,
          "the data of a record of " + bytes + " bytes does not match its checksum",
          null);
      return false;
    }
    offset = start;
    length = bytes;
    return true;
  }

  private void endOfFile(int there) {
    done = true;
    if (broken != null) {
      broken(broken, there);
    } else if (there > 0) {
      damaged(
          RecordError.TRUNCATED,
          there,
          "the file ends " + there + " bytes into the header of a record",
          null);
    } else if (fileLength > position) {
      damaged(
          RecordError.TRUNCATED,
          fileLength - position,
          "the file ends here, but had " + fileLength + " bytes when it was opened",
          null);
    }
  }

  private void truncated(int bytes, long there) {
    done = true;
    if (broken != null) {
      broken(broken, there);
    } else {
      damaged(
          RecordError.TRUNCATED,
          there,
          "a record of "
              + bytes
              + " bytes begins here, but the file has only "
              + there
              + " of its "
              + ((long) bytes + Frame.OVERHEAD)
              + " bytes",
          null);
    }
  }

  private void broken(CorruptStreamException cause, long there) {
    damaged(cause.error(), there, String.valueOf(cause.getMessage()), cause);
  }

  private void passOverHeader(long claimed) throws IOException {
    String reason =
        "the length of a record (" + claimed + ") does not match its checksum; bytes are lost here";
    if (resync == null || options.damageListener() == null) {
      done = true;
      damaged(RecordError.CORRUPT_LENGTH, limit - next, reason, null);
      return;
    }
    long behind = resync.findBehind(position);
    damaged(RecordError.CORRUPT_LENGTH, behind - position, reason, null);
    moveTo(behind);
  }

  private void passOverLong(long claimed) throws IOException {
    long behind = position + Frame.OVERHEAD + claimed;
    boolean inside = fileLength >= 0 && claimed > 0 && behind > 0 && behind <= fileLength;
    damaged(
        RecordError.RECORD_TOO_LONG,
        inside ? behind - position : Math.max(fileLength - position, limit - next),
        "a record of "
            + Long.toUnsignedString(claimed)
            + " bytes is longer than the longest allowed ("
            + options.maxRecordLength()
            + ")",
        null);
    if (inside) {
      moveTo(behind);
    } else {
      done = true;
    }
  }

  /** Goes on at another place of an uncompressed file. */
  private void moveTo(long place) throws IOException {
    while (base + limit < place) {
      base += limit;
      next = 0;
      limit = 0;
      if (!fill()) {
        return;
      }
    }
    next = (int) (place - base);
  }

  private void damaged(
      RecordError error, long bytes, String reason, @Nullable Throwable cause) {
    Damage damage = new Damage(error, file(), position, bytes, reason);
    DamageListener listener = options.damageListener();
    if (listener == null) {
      done = true;
      throw new CorruptRecordException(damage, REMEDY, cause);
    }
    listener.onDamage(damage);
  }

  /**
   * Brings {@code want} bytes from {@code next} on into the buffer, which grows no faster than bytes
   * arrive.
   *
   * @return bytes that are there, fewer than wanted only at the end of the file
   */
  private int ensure(int want) throws IOException {
    while (limit - next < want) {
      if (next > 0) {
        System.arraycopy(buffer, next, buffer, 0, limit - next);
        base += next;
        limit -= next;
        next = 0;
      }
      if (limit == buffer.length) {
        buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, Integer.MAX_VALUE - 8));
      }
      if (!fill()) {
        break;
      }
    }
    return limit - next;
  }

  private boolean fill() throws IOException {
    if (inputEnded) {
      return false;
    }
    try {
      int read = input.read(buffer, limit, buffer.length - limit);
      if (read > 0) {
        limit += read;
        return true;
      }
    } catch (CorruptStreamException e) {
      broken = e; // what came before it is whole; whoever needs more hears of it
    }
    inputEnded = true;
    return false;
  }

  /** The array that holds the record; valid until the next call of {@link #next}. */
  public byte[] buffer() {
    return buffer;
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
