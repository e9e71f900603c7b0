/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.jspecify.annotations.Nullable;

/** Local files under another scheme, as an object store shows them, that counts how it is read. */
public final class WatchedFileSystem extends RawLocalFileSystem {
  static final AtomicInteger SEEKS = new AtomicInteger();
  static final AtomicInteger POSITIONED = new AtomicInteger();

  /** Null while the superclass is built. */
  private @Nullable URI uri;

  /** A configuration that knows it under {@code scheme}, afresh. */
  static Configuration configuration(String scheme) {
    Configuration configuration = new Configuration(false);
    configuration.set("fs." + scheme + ".impl", WatchedFileSystem.class.getName());
    configuration.setBoolean("fs." + scheme + ".impl.disable.cache", true);
    return configuration;
  }

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    this.uri = URI.create(uri.getScheme() + "://" + uri.getAuthority());
    super.initialize(uri, conf);
    setWorkingDirectory(new Path(System.getProperty("user.dir")));
  }

  @Override
  public URI getUri() {
    return uri == null ? super.getUri() : uri;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(super.open(path, bufferSize)) {
      @Override
      public void seek(long position) throws IOException {
        SEEKS.incrementAndGet();
        super.seek(position);
      }

      @Override
      public int read(long position, byte[] buffer, int offset, int length) throws IOException {
        POSITIONED.incrementAndGet();
        return super.read(position, buffer, offset, length);
      }
    };
  }
}
