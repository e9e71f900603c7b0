/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The private directory (mode 0700) of one Unix socket. Its name is fresh and unpredictable and it
 * is made with its permissions in one step, so nobody's link is followed. Removed on close; what a
 * killed process of the same user left is swept by the next one.
 */
final class SocketDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SocketDirectory.class);
  private static final String PREFIX = "tfos-s-";
  private static final String SOCKET = "s";
  private static final Duration SWEEP_AGE = Duration.ofMinutes(1);

  /** Linux has 108 bytes with the final zero, macOS 104. */
  private static final int MAX_PATH = 103;

  private final Path directory;

  private SocketDirectory(Path directory) {
    this.directory = directory;
  }

  /** Makes the directory under {@code scratch}, or where paths are shorter. */
  static SocketDirectory create(Path scratch) throws IOException {
    LinkedHashSet<Path> parents = new LinkedHashSet<>();
    parents.add(scratch.toAbsolutePath());
    parents.add(Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath());
    parents.add(Path.of("/tmp"));
    IOException failure = new IOException("No directory with a path short enough");
    for (Path parent : parents) {
      // Files.createTempDirectory appends a random long, 20 digits at most.
      int length = parent.toString().getBytes(StandardCharsets.UTF_8).length;
      if (length + PREFIX.length() + 20 + SOCKET.length() + 2 > MAX_PATH) {
        continue;
      }
      try {
        Path made =
            Files.createTempDirectory(
                parent,
                PREFIX,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        made.toFile().deleteOnExit();
        made.resolve(SOCKET).toFile().deleteOnExit();
        sweep(parent, Files.getOwner(made, LinkOption.NOFOLLOW_LINKS));
        return new SocketDirectory(made);
      } catch (IOException | UnsupportedOperationException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  Path socket() {
    return directory.resolve(SOCKET);
  }

  /** Narrows the bound socket to its owner; the directory alone would do, where it is honoured. */
  void protect() throws IOException {
    Files.setPosixFilePermissions(socket(), PosixFilePermissions.fromString("rw-------"));
  }

  @Override
  public void close() {
    remove(directory);
  }

  private static void remove(Path directory) {
    try {
      Files.deleteIfExists(directory.resolve(SOCKET));
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      LOG.warn("Could not remove the socket directory {}: {}", directory, e.toString());
    }
  }

  /** Removes directories of ours whose socket nobody listens on any more. */
  private static void sweep(Path parent, UserPrincipal me) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path path : found) {
        if (abandoned(path, me)) {
          LOG.info("Removing the socket directory {} of a process that died", path);
          remove(path);
        }
      }
    } catch (IOException e) {
      LOG.debug("Could not sweep {}", parent, e);
    }
  }

  private static boolean abandoned(Path path, UserPrincipal me) throws IOException {
    Path socket = path.resolve(SOCKET);
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        || !Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(me)
        || !Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    FileTime made = Files.getLastModifiedTime(socket, LinkOption.NOFOLLOW_LINKS);
    // A socket is refused between bind and listen too: leave young ones alone.
    if (made.toInstant().isAfter(Instant.now().minus(SWEEP_AGE))) {
      return false;
    }
    try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return !probe.isConnected();
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
