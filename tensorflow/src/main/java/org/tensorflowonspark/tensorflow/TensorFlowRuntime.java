/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.tensorflow.shim.NativeRuntime;

/**
 * TensorFlow's native library in this process. Loading a model loads it too; calling {@link #load}
 * early moves the wait (3 to 5 s the first time on a host, when 650 MB are unpacked into a cache,
 * about 1 s afterwards) out of the way.
 *
 * <p>Unless the process sets them itself, JavaCPP's limits on native memory ({@code
 * org.bytedeco.javacpp.maxbytes}, {@code maxphysicalbytes}) are switched off: they follow the heap
 * and fail steps for which the machine has room. Where the home directory cannot be written the
 * library is unpacked into a private directory of the user below the temporary directory, shared by
 * all processes of the user on the host ({@code org.bytedeco.javacpp.cachedir} overrides it).
 *
 * <p>TensorFlow writes notices to standard error by itself. Only the environment that the process
 * is started with can stop that: {@code TF_CPP_MIN_LOG_LEVEL=2}, on executors {@code
 * spark.executorEnv.TF_CPP_MIN_LOG_LEVEL}.
 *
 * <p>Safe on any thread, on the driver and on executors.
 */
public final class TensorFlowRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(TensorFlowRuntime.class);
  private static final String CACHE_DIR = "org.bytedeco.javacpp.cachedir";
  private static final String MAX_BYTES = "org.bytedeco.javacpp.maxbytes";
  private static final String MAX_PHYSICAL_BYTES = "org.bytedeco.javacpp.maxphysicalbytes";

  private static @Nullable Loaded loaded;

  private TensorFlowRuntime() {}

  /**
   * What was loaded.
   *
   * @param version of TensorFlow, such as 2.18.0
   * @param took how long it took
   */
  public record Loaded(String version, Duration took) {}

  /**
   * Loads the library unless that has been done; blocks meanwhile.
   *
   * @throws TfosException {@link ModelError#RUNTIME_UNAVAILABLE}, each time it is tried
   */
  public static synchronized Loaded load() {
    if (loaded == null) {
      long start = System.nanoTime();
      prepareProperties();
      String version = link();
      loaded = new Loaded(version, Duration.ofNanos(System.nanoTime() - start));
      LOG.info("TensorFlow {} loaded in {} ms", version, loaded.took().toMillis());
      long limit = NativeRuntime.memoryLimit();
      if (limit > 0) {
        LOG.warn(
            "JavaCPP stops this process at {} bytes although the machine may have room;"
                + " set -D{}=0 on its command line",
            limit,
            MAX_PHYSICAL_BYTES);
      }
    }
    return loaded;
  }

  private static String link() {
    try {
      NativeRuntime.load();
      return NativeRuntime.version();
    } catch (LinkageError e) {
      throw new TfosException(
          ModelError.RUNTIME_UNAVAILABLE,
          "TensorFlow's native library cannot be loaded on "
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + ": "
              + e,
          "Put org.tensorflow:tensorflow-core-native with the classifier of this platform"
              + " (linux-x86_64, linux-arm64, macosx-arm64, or linux-x86_64-gpu) on the class path,"
              + " one of them only; its cache directory (-D"
              + CACHE_DIR
              + ", now "
              + System.getProperty(CACHE_DIR, "~/.javacpp/cache")
              + ") must be writable, hold 700 MB and not be mounted noexec.",
          e);
    }
  }

  private static void prepareProperties() {
    setIfAbsent(MAX_BYTES, "0");
    setIfAbsent(MAX_PHYSICAL_BYTES, "0");
    if (System.getProperty(CACHE_DIR) == null) {
      Path home = Path.of(System.getProperty("user.home", "/"));
      if (!canHoldCache(home)) {
        System.setProperty(CACHE_DIR, privateCache().toString());
      }
    }
  }

  private static void setIfAbsent(String key, String value) {
    if (System.getProperty(key) == null) {
      System.setProperty(key, value);
    }
  }

  static boolean canHoldCache(Path home) {
    Path cache = home.resolve(".javacpp");
    return Files.isDirectory(cache)
        ? Files.isWritable(cache)
        : Files.isDirectory(home) && Files.isWritable(home);
  }

  /**
   * A directory below the temporary one that only this user can write: others could otherwise place
   * a library there for us to load.
   */
  private static Path privateCache() {
    Path cache =
        Path.of(System.getProperty("java.io.tmpdir", "/tmp"))
            .resolve("tfos-javacpp-" + System.getProperty("user.name", "user"));
    try {
      if (!Files.isDirectory(cache, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(
            cache,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      checkPrivate(cache);
      return cache;
    } catch (IOException e) {
      throw new TfosException(
          ModelError.RUNTIME_UNAVAILABLE,
          "There is no directory to unpack TensorFlow into: neither the home directory nor "
              + cache,
          "Name a writable one with -D" + CACHE_DIR + ".",
          e);
    }
  }

  static void checkPrivate(Path cache) throws IOException {
    Path probe = Files.createTempFile(cache, "owner", "");
    try {
      boolean ours = Files.getOwner(probe).equals(Files.getOwner(cache, LinkOption.NOFOLLOW_LINKS));
      String others =
          PosixFilePermissions.toString(
              Files.getPosixFilePermissions(cache, LinkOption.NOFOLLOW_LINKS));
      if (!ours || others.charAt(4) == 'w' || others.charAt(7) == 'w') {
        throw new IOException(cache + " belongs to or can be written by another user: " + others);
      }
    } finally {
      Files.delete(probe);
    }
  }
}
