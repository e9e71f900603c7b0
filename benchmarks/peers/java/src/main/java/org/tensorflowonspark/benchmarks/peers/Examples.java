/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks.peers;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import org.tensorflow.example.BytesList;
import org.tensorflow.example.Example;
import org.tensorflow.example.Feature;
import org.tensorflow.example.Features;
import org.tensorflow.example.FloatList;
import org.tensorflow.example.Int64List;
import org.tensorflowonspark.benchmarks.records.Column;

/** Between columns and the bytes of an Example, by protobuf-java, value by value. */
final class Examples {
  private Examples() {}

  static void read(byte[] record, List<Column> columns, int row)
      throws InvalidProtocolBufferException {
    Features features = Example.parseFrom(record).getFeatures();
    for (Column column : columns) {
      Feature feature = features.getFeatureOrThrow(column.name);
      int at = row * column.width;
      switch (column.kind) {
        case FLOAT -> {
          FloatList list = feature.getFloatList();
          for (int i = 0; i < column.width; i++) {
            column.floats[at + i] = list.getValue(i);
          }
        }
        case LONG -> {
          Int64List list = feature.getInt64List();
          for (int i = 0; i < column.width; i++) {
            column.longs[at + i] = list.getValue(i);
          }
        }
        case BYTES -> {
          ByteString value = feature.getBytesList().getValue(0);
          int end = column.ends[row] + value.size();
          value.copyTo(column.bytes, column.ends[row]);
          column.ends[row + 1] = end;
        }
      }
    }
  }

  static byte[] write(List<Column> columns, int row) {
    Features.Builder features = Features.newBuilder();
    for (Column column : columns) {
      features.putFeature(column.name, feature(column, row));
    }
    return Example.newBuilder().setFeatures(features).build().toByteArray();
  }

  private static Feature feature(Column column, int row) {
    int at = row * column.width;
    return switch (column.kind) {
      case FLOAT -> {
        FloatList.Builder list = FloatList.newBuilder();
        for (int i = 0; i < column.width; i++) {
          list.addValue(column.floats[at + i]);
        }
        yield Feature.newBuilder().setFloatList(list).build();
      }
      case LONG -> {
        Int64List.Builder list = Int64List.newBuilder();
        for (int i = 0; i < column.width; i++) {
          list.addValue(column.longs[at + i]);
        }
        yield Feature.newBuilder().setInt64List(list).build();
      }
      case BYTES -> {
        ByteString value = 
            ByteString.copyFrom(
                column.bytes, column.ends[row], column.ends[row + 1] - column.ends[row]);
        yield Feature.newBuilder().setBytesList(BytesList.newBuilder().addValue(value)).build();
      }
    };
  }
}
