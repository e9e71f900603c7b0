/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * The file that gets everything that is too much for the console. In the folder that system
 * property {@code tfos.log.dir} names, else below the user's home. The newest twenty are kept.
 *
 * @param path the file, absolute
 */
public record LogFile(Path path) {
  private static final int KEPT = 20;
  private static final String CONFIGURATION = "log4j2.configurationFile";

  /** Picks the file and points the logging configuration to it; nothing may have logged before. */
  public static LogFile choose() {
    Path folder =
        Path.of(
                System.getProperty(
                    "tfos.log.dir",
                    Path.of(System.getProperty("user.home"), ".tfos", "logs").toString()))
            .toAbsolutePath();
    try {
      Files.createDirectories(folder);
      removeOld(folder);
    } catch (IOException e) {
      folder = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    }
    String time =
        LocalDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    Path file = folder.resolve("tfos-" + time + "-" + ProcessHandle.current().pid() + ".log");
    System.setProperty("tfos.log", file.toString());
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "tfos-cli-log4j2.properties");
    }
    return new LogFile(file);
  }

  /** Writes the whole of a failure. */
  public void write(Throwable failure) {
    LoggerFactory.getLogger(LogFile.class).error("tfos failed", failure);
  }

  private static void removeOld(Path folder) throws IOException {
    List<Path> logs;
    try (Stream<Path> files = Files.list(folder)) {
      logs =
          files.filter(f -> f.getFileName().toString().matches("tfos-.*\\.log")).sorted().toList();
    }
    for (Path old : logs.subList(0, Math.max(0, logs.size() - KEPT + 1))) {
      Files.deleteIfExists(old);
    }
  }
}
