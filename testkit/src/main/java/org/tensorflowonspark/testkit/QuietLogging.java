/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.net.URISyntaxException;
import java.net.URL;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.DefaultConfiguration;

/** Warnings and our own events only, on standard error, unless somebody configured logging. */
final class QuietLogging {
  static final String RESOURCE = "tfos-testkit-log4j2.properties";

  private QuietLogging() {}

  /** Replaces log4j's built-in default, also when something was logged by it already. */
  static void install() {
    URL resource = QuietLogging.class.getClassLoader().getResource(RESOURCE);
    if (resource != null
        && LogManager.getContext(false) instanceof LoggerContext context
        && context.getConfiguration() instanceof DefaultConfiguration) {
      try {
        context.setConfigLocation(resource.toURI());
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
