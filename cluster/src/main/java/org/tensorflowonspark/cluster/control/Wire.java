/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Encoding of the control plane's records. Lengths are checked against what is there. */
final class Wire {
  /** Rises with each change of the encoding; sides of different versions refuse each other. */
  static final int VERSION = 1;

  private Wire() {}

  @FunctionalInterface
  interface Writer {
    void to(DataOutput out) throws IOException;
  }

  @FunctionalInterface
  interface Reader<T> {
    T from(DataInputStream in) throws IOException;
  }

  static byte[] encode(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try {
      writer.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a name longer than 64 KiB
    }
    return bytes.toByteArray();
  }

  static <T> T decode(byte[] bytes, Reader<T> reader) {
    try {
      return reader.from(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void writeBytes(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static byte[] readBytes(DataInput in) throws IOException {
    int length = in.readInt();
    int there = in instanceof DataInputStream stream ? stream.available() : length;
    if (length < 0 || length > there) {
      throw new IOException("A field of " + length + " bytes where " + there + " are left");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  static void writeText(DataOutput out, String text) throws IOException {
    writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
  }

  static String readText(DataInput in) throws IOException {
    return new String(readBytes(in), StandardCharsets.UTF_8);
  }

  static void writeDoubles(DataOutput out, Map<String, Double> values) throws IOException {
    out.writeShort(values.size());
    for (Map.Entry<String, Double> value : values.entrySet()) {
      out.writeUTF(value.getKey());
      out.writeDouble(value.getValue());
    }
  }

  static Map<String, Double> readDoubles(DataInput in) throws IOException {
    int count = in.readUnsignedShort();
    Map<String, Double> values = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      values.put(in.readUTF(), in.readDouble());
    }
    return values;
  }

  static List<Member> readMembers(DataInput in) throws IOException {
    int count = in.readInt();
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(Member.read(in));
    }
    return List.copyOf(members);
  }
}
