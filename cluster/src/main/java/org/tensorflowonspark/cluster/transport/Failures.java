/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.tensorflowonspark.base.TfosException;

/** The texts of this package's errors: who waited for whom, for how long, on what. */
final class Failures {
  private Failures() {}

  static TfosException timedOut(Membership me, int rank, Deadline deadline, String what) {
    return new TfosException(
        TransportError.TIMED_OUT,
        String.format(
            Locale.ROOT, "%s waited %s for rank %d %s", up(me), deadline.describe(), rank, what),
        "See what rank "
            + rank
            + " was doing, or raise the timeout if its steps may take that long.");
  }

  static TfosException aborted(Membership me, String waitedFor, Throwable cause) {
    return new TfosException(
        TransportError.ABORTED, up(me) + " stopped waiting for " + waitedFor, "", cause);
  }

  static TfosException lost(Membership me, int rank, String what, @Nullable Throwable cause) {
    return new TfosException(
        TransportError.PEER_LOST,
        up(me) + " lost rank " + rank + " while waiting for it " + what,
        "Its process ended or closed the connection: look at the log of rank " + rank + ".",
        cause);
  }

  static TfosException closed(Membership me, int rank, String channel) {
    return new TfosException(
        TransportError.CLOSED,
        "Channel '" + channel + "' from " + me.name() + " to rank " + rank + " is closed",
        "");
  }

  private static String up(Membership me) {
    String name = me.name();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
