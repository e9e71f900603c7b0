/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import java.io.ByteArrayOutputStream;

/** Puts wire bytes together by hand, right or wrong. */
final class Bytes {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  static Bytes of(int... bytes) {
    Bytes all = new Bytes();
    for (int b : bytes) {
      all.out.write(b);
    }
    return all;
  }

  static byte[] concat(byte[]... parts) {
    Bytes all = new Bytes();
    for (byte[] part : parts) {
      all.raw(part);
    }
    return all.toArray();
  }

  Bytes raw(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  Bytes varint(long value) {
    return varint(value, 0);
  }

  /** A varint of at least that many bytes. */
  Bytes varint(long value, int least) {
    long rest = value;
    int written = 1;
    while ((rest & ~0x7fL) != 0 || written < least) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
      written++;
    }
    out.write((int) rest);
    return this;
  }

  Bytes tag(int field, int wireType) {
    return varint(((long) field << 3) | wireType);
  }

  /** A field with a length. */
  Bytes field(int field, byte[] body) {
    return tag(field, 2).varint(body.length).raw(body);
  }

  /** Groups of a number in one another. */
  Bytes groups(int field, int depth) {
    for (int i = 0; i < depth; i++) {
      tag(field, 3);
    }
    for (int i = 0; i < depth; i++) {
      tag(field, 4);
    }
    return this;
  }

  byte[] toArray() {
    return out.toByteArray();
  }
}
