/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions that the build wrote into a resource. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    }
    return new String[] {
      String.format(
          "tfos %s (Spark %s, TensorFlow Java %s, Java %s)",
          properties.getProperty("tfos", "unknown"),
          properties.getProperty("spark", "unknown"),
          properties.getProperty("tensorflow", "unknown"),
          System.getProperty("java.version"))
    };
  }
}
