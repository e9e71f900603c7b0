/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FeatureList;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.SequenceExample;

/**
 * What protobuf-java says of a record, as text that tells all values bit by bit. In two cases its
 * generated classes differ from the specification and from TensorFlow, and the text follows those:
 *
 * <ul>
 *   <li>When the lists of one feature are of kinds A, B, A, the generated classes keep the values
 *       of the first A; {@link DynamicMessage} does not, so values are taken from that.
 *   <li>Of a varint of ten bytes they read the top bit as 1 whatever the last byte says; such
 *       records are told by {@link #hasUnclearVarint}, and the top bits are then not compared.
 * </ul>
 */
final class Oracle {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Oracle() {}

  static @Nullable Example example(byte[] record) {
    try {
      Example accepted = Example.parseFrom(record);
      assertThat(accepted).isNotNull();
      return Example.parseFrom(
          DynamicMessage.parseFrom(Example.getDescriptor(), record).toByteArray());
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  static @Nullable SequenceExample sequenceExample(byte[] record) {
    try {
      SequenceExample accepted = SequenceExample.parseFrom(record);
      assertThat(accepted).isNotNull();
      return SequenceExample.parseFrom(
          DynamicMessage.parseFrom(SequenceExample.getDescriptor(), record).toByteArray());
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  /**
   * Whether nine bytes that go on are followed by one that ends a varint with another bit than 1.
   */
  static boolean hasUnclearVarint(byte[] record) {
    int run = 0;
    for (byte b : record) {
      if (b >= 0 && run >= 9 && b != 1) {
        return true;
      }
      run = b < 0 ? run + 1 : 0;
    }
    return false;
  }

  private static long mask(byte[] record) {
    return hasUnclearVarint(record) ? Long.MAX_VALUE : -1;
  }

  static Map<String, String> expected(byte[] record, Features features) {
    Map<String, String> texts = new TreeMap<>();
    features.getFeatureMap().forEach((name, value) -> texts.put(name, text(value, mask(record))));
    return texts;
  }

  static Map<String, String> expectedLists(byte[] record, SequenceExample example) {
    Map<String, String> texts = new TreeMap<>();
    for (Map.Entry<String, FeatureList> e :
        example.getFeatureLists().getFeatureListMap().entrySet()) {
      texts.put(
          e.getKey(),
          e.getValue().getFeatureList().stream()
              .map(step -> text(step, mask(record)))
              .collect(Collectors.joining(" | ", "steps ", "")));
    }
    return texts;
  }

  static Map<String, String> actual(byte[] record, ExampleReader reader, List<String> wanted) {
    Map<String, String> texts = new TreeMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      FeatureView view = reader.feature(i);
      if (view.kind() != FeatureKind.ABSENT) {
        texts.put(wanted.get(i), text(view, mask(record)));
      }
    }
    return texts;
  }

  static Map<String, String> actualLists(byte[] record, ExampleReader reader, List<String> wanted) {
    Map<String, String> texts = new TreeMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      FeatureListView view = reader.featureList(i);
      if (view.isPresent()) {
        List<String> steps = new ArrayList<>();
        for (int step = 0; step < view.steps(); step++) {
          steps.add(text(view.nextStep(), mask(record)));
        }
        texts.put(wanted.get(i), "steps " + String.join(" | ", steps));
      }
    }
    return texts;
  }

  private static String text(Feature feature, long mask) {
    List<String> values = new ArrayList<>();
    switch (feature.getKindCase()) {
      case BYTES_LIST -> {
        for (ByteString value : feature.getBytesList().getValueList()) {
          values.add(HexFormat.of().formatHex(value.toByteArray()));
        }
        return "BYTES" + values;
      }
      case FLOAT_LIST -> {
        for (float value : feature.getFloatList().getValueList()) {
          values.add(Integer.toHexString(Float.floatToRawIntBits(value)));
        }
        return "FLOAT" + values;
      }
      case INT64_LIST -> {
        for (long value : feature.getInt64List().getValueList()) {
          values.add(Long.toHexString(value & mask));
        }
        return "INT64" + values;
      }
      default -> {
        return "NONE[]";
      }
    }
  }

  private static String text(FeatureView view, long mask) {
    List<String> values = new ArrayList<>();
    int count = view.count();
    switch (view.kind()) {
      case BYTES -> {
        int[] starts = new int[count];
        int[] lengths = new int[count];
        view.elements(starts, lengths);
        for (int i = 0; i < count; i++) {
          values.add(HexFormat.of().formatHex(view.buffer(), starts[i], starts[i] + lengths[i]));
        }
      }
      case FLOAT -> {
        float[] floats = new float[count + 1];
        view.floats(floats, 1);
        for (int i = 0; i < count; i++) {
          int bits = Float.floatToRawIntBits(floats[i + 1]);
          int packed = (int) INTS.get(view.buffer(), view.packedStart() + 4 * i);
          values.add(bits == packed ? Integer.toHexString(bits) : "packed differs");
        }
        if (count > 0
            && Float.floatToRawIntBits(view.firstFloat()) != Float.floatToRawIntBits(floats[1])) {
          values.add("first differs");
        }
      }
      case INT64 -> {
        long[] longs = new long[count + 1];
        view.longs(longs, 1);
        for (int i = 0; i < count; i++) {
          values.add(Long.toHexString(longs[i + 1] & mask));
        }
        if (count > 0 && view.firstLong() != longs[1]) {
          values.add("first differs");
        }
      }
      default -> {
        // holds nothing
      }
    }
    return view.kind().toString() + values;
  }

  /** Whether a map of the record has an entry of a name that is not among those wanted. */
  static boolean hasOtherNames(byte[] record, Set<String> features, @Nullable Set<String> lists) {
    try {
      CodedInputStream in = CodedInputStream.newInstance(record);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        Set<String> wanted = tag == 10 ? features : tag == 18 ? lists : null;
        if (wanted == null) {
          if (!in.skipField(tag)) {
            return false;
          }
        } else if (hasOtherNames(in.readByteArray(), wanted)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean hasOtherNames(byte[] map, Set<String> wanted) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(map);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag != 10) {
        if (!in.skipField(tag)) {
          return false;
        }
      } else if (!wanted.contains(name(in.readByteArray()))) {
        return true;
      }
    }
    return false;
  }

  private static String name(byte[] entry) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(entry);
    String name = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == 10) {
        name = in.readString();
      } else if (!in.skipField(tag)) {
        break;
      }
    }
    return name;
  }
}
