/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documentation says what the code says. */
class DocsTest {
  private static final String REMEDY =
      "Write it anew with: mvn -Pquick -pl examples -am test -Dtest=DocsTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dtfos.docs.write=true";

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)[^)]*\\)");

  static List<String> pages() throws IOException {
    return Docs.pages();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void whatIsMadeFromTheCodeIsUpToDate(String page) throws IOException {
    String filled = Docs.filled(page);
    if (Boolean.getBoolean("tfos.docs.write")) {
      Files.writeString(Docs.ROOT.resolve(page), filled);
    }
    assertThat(Docs.read(page)).as("%s differs from the code. %s", page, REMEDY).isEqualTo(filled);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyJavaProgramIsCompiled(String page) throws IOException {
    assertThat(Docs.unmarked(page))
        .as("%s shows Java that no example has: put it into one, between // doc: marks", page)
        .doesNotContain("```java");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksWithinTheRepositoryLeadSomewhere(String page) throws IOException {
    Path folder = Objects.requireNonNull(Docs.ROOT.resolve(page).getParent());
    List<String> broken = new ArrayList<>();
    Matcher links = LINK.matcher(Docs.read(page));
    while (links.find()) {
      String target = links.group(1);
      if (!target.contains("://") && !Files.exists(folder.resolve(target))) {
        broken.add(target);
      }
    }
    assertThat(broken).as("links of %s", page).isEmpty();
  }
}
