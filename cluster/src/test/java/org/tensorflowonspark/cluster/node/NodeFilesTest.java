/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflowonspark.cluster.config.Role;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.feed.NodeAddresses;
import org.tensorflowonspark.cluster.transport.NodeAddress;

class NodeFilesTest {

  @ParameterizedTest
  @CsvSource({
    "models/a,                  hdfs://nn:8020/user/me/models/a",
    "/models/a,                 hdfs://nn:8020/models/a",
    "hdfs://other/x,            hdfs://other/x",
    "s3a://bucket/x,            s3a://bucket/x",
    "gs://bucket/x,             gs://bucket/x",
    "abfss://c@a.example/x,     abfss://c@a.example/x",
    "wasbs://c@a.example/x,     wasbs://c@a.example/x",
    "file:/tmp/x,               file:/tmp/x",
  })
  void aPathMeansWhatHadoopUsersExpect(String text, String meaning) {
    Configuration hadoop = new Configuration(false);
    hadoop.set("fs.defaultFS", "hdfs://nn:8020");

    assertThat(ModelFiles.resolve(text, "hdfs://nn:8020/user/me", hadoop).toString())
        .isEqualTo(meaning);
  }

  @Test
  void theRosterIsWrittenAsTfConfig() {
    List<Member> roster =
        List.of(member(0, Role.CHIEF, 0), member(1, Role.WORKER, 0), member(2, Role.EVALUATOR, 0));

    assertThat(TfConfig.of(roster, roster.get(1)))
        .isEqualTo(
            "{\"cluster\":{\"chief\":[\"h0:1000\"],\"worker\":[\"h1:1001\"],"
                + "\"evaluator\":[\"h2:1002\"]},\"task\":{\"type\":\"worker\",\"index\":0}}");
  }

  private static Member member(int rank, Role role, int index) {
    NodeAddress address = new NodeAddress(rank, "h" + rank, "id", 1000 + rank, "");
    assertThat(NodeAddresses.parse(NodeAddresses.format(address))).isEqualTo(address);
    return new Member(rank, role, index, 0, "1", "h" + rank, 1, NodeAddresses.format(address));
  }
}
