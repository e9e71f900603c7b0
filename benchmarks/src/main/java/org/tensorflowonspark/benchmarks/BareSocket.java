/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket between two processes and nothing else: the least that bytes cost both ways. Each
 * polls for as long as it takes, since each has a core. For one thread; the opener closes it.
 */
final class BareSocket implements AutoCloseable {
  private final int rank;
  private final UnixDomainSocketAddress address;
  private final @Nullable ServerSocketChannel server;
  private @Nullable SocketChannel channel;

  private BareSocket(
      int rank, UnixDomainSocketAddress address, @Nullable ServerSocketChannel server) {
    this.rank = rank;
    this.address = address;
    this.server = server;
  }

  /** Rank 0 listens at once, rank 1 connects; both when they first exchange. */
  static BareSocket open(int rank, Path path) throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
    ServerSocketChannel server =
        rank == 0 ? ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address) : null;
    return new BareSocket(rank, address, server);
  }

  private SocketChannel connected() throws IOException {
    SocketChannel open = channel;
    if (open == null) {
      open = server == null ? connect() : server.accept();
      open.setOption(StandardSocketOptions.SO_SNDBUF, 4 << 20);
      open.configureBlocking(false);
      channel = open;
    }
    return open;
  }

  private SocketChannel connect() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (true) {
      try {
        return SocketChannel.open(address);
      } catch (ConnectException | NoSuchFileException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  /** Sends all of one buffer and fills the other. */
  void exchange(ByteBuffer mine, ByteBuffer theirs) throws IOException {
    SocketChannel open = connected();
    while (mine.hasRemaining() || theirs.hasRemaining()) {
      int moved = mine.hasRemaining() ? open.write(mine) : 0;
      if (theirs.hasRemaining()) {
        int read = open.read(theirs);
        if (read < 0) {
          throw new EOFException("Rank " + (1 - rank) + " is gone");
        }
        moved += read;
      }
      if (moved == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
    if (server != null) {
      server.close();
      Files.deleteIfExists(address.getPath());
    }
  }
}
