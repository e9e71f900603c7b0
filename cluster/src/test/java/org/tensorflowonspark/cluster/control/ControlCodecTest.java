/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflowonspark.base.OptionError;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.Role;

class ControlCodecTest {
  private static final Member MEMBER =
      new Member(1, Role.WORKER, 0, -7L, "3", "host-ü", 4711, "1\thost\tid\t99\t/tmp/x");

  private static Stream<NodeMessage> messages() {
    return Stream.of(
        new NodeMessage.CheckIn("abc", MEMBER),
        new NodeMessage.Poll(2, Long.MAX_VALUE, 5, 1L << 40, "waits for rows"),
        new NodeMessage.Report(0, 1, new Progress(1, 2, 3, Map.of("loss", 0.25))),
        new NodeMessage.Left(3, 9),
        new NodeMessage.FeedDone(1, 2, "train", 0, 1L << 33, true),
        new NodeMessage.Failed(1, 2, 3, RemoteFailure.of(failure())));
  }

  /** Its one frame is of no module: module names are not sent. */
  private static Throwable failure() {
    Throwable failure = new IllegalStateException("boom");
    failure.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("a.B", "run", "B.java", 3)});
    return failure;
  }

  private static List<Event> events() {
    return List.of(
        new Event.Roster(List.of(MEMBER)),
        new Event.FeedStarted("train", 1, 10, 3, true, -5L, true, false, 77),
        new Event.FeedComplete("train", 1, 1L << 35),
        new Event.NoMoreFeeds(),
        new Event.Stop("because"));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void messagesComeBackAsTheyWere(NodeMessage message) {
    assertThat(NodeMessage.decode(message.encode())).isEqualTo(message);
  }

  @Test
  void messagesWithBytesComeBackAsTheyWere() {
    byte[] bytes = {1, 2, 3};
    var finished =
        (NodeMessage.Finished)
            NodeMessage.decode(new NodeMessage.Finished(1, 2, 3, bytes).encode());
    var opened =
        (NodeMessage.FeedOpened)
            NodeMessage.decode(new NodeMessage.FeedOpened(1, 2, "f", bytes).encode());

    assertThat(finished.result()).containsExactly(bytes);
    assertThat(opened.spec()).containsExactly(bytes);
    assertThat(opened.feed()).isEqualTo("f");
  }

  @Test
  void eventsComeBackInOrder() {
    assertThat(Event.decode(Event.encode(events()))).isEqualTo(events());
  }

  @Test
  void cutOrChangedBytesAreRefusedAndNeverAllocateWhatTheySay() {
    long seed = 42;
    Random random = new Random(seed);
    for (NodeMessage message : messages().toList()) {
      byte[] bytes = message.encode();
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThatThrownBy(() -> NodeMessage.decode(cut)).isInstanceOf(RuntimeException.class);
      }
      for (int i = 0; i < 2000; i++) {
        byte[] changed = bytes.clone();
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        try {
          assertThat(NodeMessage.decode(changed)).isNotNull();
        } catch (UncheckedIOException | IndexOutOfBoundsException e) {
          assertThat(e).as("seed %d", seed).isNotNull();
        }
      }
    }
  }

  @Test
  void aCheckInOfAnotherVersionIsReadAsFarAsItsHead() {
    var other = new NodeMessage.CheckIn(99, "abc", MEMBER);

    var read = (NodeMessage.CheckIn) NodeMessage.decode(other.encode());

    assertThat(read.version()).isEqualTo(99);
    assertThat(read.clusterId()).isEqualTo("abc");
    assertThat(read.rank()).isEqualTo(-1);
  }

  @Test
  void aFailureKeepsClassMessageCodeAndStackOfTheWholeChain() {
    Throwable failure =
        new TfosException(
            OptionError.INVALID_VALUE, "x", "y", new IllegalStateException("z".repeat(10_000)));

    RemoteFailure flat =
        ((NodeMessage.Failed)
                NodeMessage.decode(
                    new NodeMessage.Failed(0, 0, 0, RemoteFailure.of(failure)).encode()))
            .failure();

    assertThat(flat.summary()).isEqualTo("[TFOS-OPTION-002] x. y");
    assertThat(flat.isConsequence()).isFalse();
    RemoteException e = flat.toException();
    assertThat(e).hasMessageContaining("TfosException: [TFOS-OPTION-002]");
    assertThat(e.getStackTrace()[0].getMethodName())
        .isEqualTo(failure.getStackTrace()[0].getMethodName());
    Throwable cause = java.util.Objects.requireNonNull(e.getCause());
    assertThat(cause).hasMessageStartingWith("java.lang.IllegalStateException: zzz");
    assertThat(cause.getMessage()).hasSizeLessThan(5000);
  }
}
