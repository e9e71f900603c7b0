/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the outermost message: an Example, or a SequenceExample when there are lists. */
final class RecordParser {
  private final MapParser features;
  private final @Nullable MapParser lists;

  RecordParser(MapParser features, @Nullable MapParser lists) {
    this.features = features;
    this.lists = lists;
  }

  void parse(byte[] b, int offset, int length) throws MalformedExampleException {
    Objects.checkFromIndexSize(offset, length, b.length);
    features.begin();
    if (lists != null) {
      lists.begin();
    }
    try {
      fields(b, offset, offset + length);
    } catch (MalformedExampleException e) {
      throw e.in("the record");
    }
  }

  private void fields(byte[] b, int from, int end) throws MalformedExampleException {
    int at = from;
    while (at < end) {
      long read = Wire.tag(b, at, end);
      at = Wire.next(read);
      int tag = Wire.value(read);
      MapParser map = tag == Wire.FIELD_1 ? features : tag == Wire.FIELD_2 ? lists : null;
      if (map == null) {
        at = Wire.skip(b, tag, at, end, 0);
      } else {
        long span = Wire.span(b, at, end);
        at = Wire.value(span);
        map.parse(b, Wire.next(span), at);
      }
    }
  }
}
