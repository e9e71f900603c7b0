/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.tensorflowonspark.base.TfosException;

/**
 * Tells what was left behind on this machine since it was made: threads named {@code tfos-*} of
 * driver and executors, sockets that listen, Unix sockets, child processes, files and shared memory
 * whose names begin with {@code tfos}. It looks from outside, through the operating system, so it
 * also sees executors that are busy or suspended; only Linux can be asked.
 *
 * <pre>{@code
 * LeakCheck leaks = LeakCheck.before(cluster);
 * // ... use and end what is tested ...
 * leaks.assertClean(Duration.ofSeconds(5));
 * }</pre>
 */
public final class LeakCheck {
  private final LocalCluster cluster;
  private final MachineState before;

  private LeakCheck(LocalCluster cluster) {
    this.cluster = cluster;
    this.before = MachineState.of(cluster);
  }

  /** Notes what there is now, which will not count as a leak. */
  public static LeakCheck before(LocalCluster cluster) {
    return new LeakCheck(cluster);
  }

  /** One line for each thing that is there now and was not before, in the order of the lines. */
  public List<String> leaks() {
    return List.copyOf(new TreeSet<>(MachineState.of(cluster).newSince(before)));
  }

  /**
   * Waits until nothing is left.
   *
   * @throws AssertionError when the time is over; lists what is left, with the stack of each thread
   */
  public void assertClean(Duration limit) {
    try {
      Eventually.within(limit, "everything is gone", () -> leaks().isEmpty());
    } catch (TfosException e) {
      List<String> left = leaks();
      if (left.isEmpty()) {
        return; // the last moment was enough after all
      }
      throw new AssertionError(
          "Left "
              + limit.toMillis()
              + " ms after the end:\n  "
              + String.join("\n  ", left)
              + (left.stream().anyMatch(line -> line.contains(" thread "))
                  ? "\n" + ThreadDump.of(cluster)
                  : ""),
          e);
    }
  }
}
