/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.benchmarks;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What comes out of one case; becomes one JSON object. */
final class Result {
  final String name;
  final Series value;
  final String unit;
  private final boolean lowerIsBetter;
  private final Map<String, Object> more = new LinkedHashMap<>();
  private final Map<String, Boolean> musts = new LinkedHashMap<>();
  @Nullable String peer;
  @Nullable Series peerValue;
  @Nullable Double limit;
  @Nullable Double limitRatio;
  @Nullable Double ratio;

  private Result(String name, Series value, String unit, boolean lowerIsBetter) {
    this.name = name;
    this.value = value;
    this.unit = unit;
    this.lowerIsBetter = lowerIsBetter;
  }

  /** A case whose figure is a rate: more is better. */
  static Result rate(String name, Series value, String unit) {
    return new Result(name, value, unit, false);
  }

  /** A case whose figure is a time: less is better. */
  static Result time(String name, Series value, String unit) {
    return new Result(name, value, unit, true);
  }

  /** The peer, or null figures if it was not raced. */
  Result against(String peerName, @Nullable Series figures) {
    peer = peerName;
    peerValue = figures;
    ratio = figures == null ? null : better(value, figures);
    return this;
  }

  /** The limit; its ratio is 1.0 when it is reached. */
  Result limit(Series figures) {
    limit = figures.median();
    limitRatio = better(value, figures);
    return this;
  }

  private double better(Series mine, Series other) {
    return lowerIsBetter ? other.over(mine) : mine.over(other);
  }

  /** What counts as done, and whether it is. */
  Result must(String what, boolean met) {
    musts.put(what, met);
    return this;
  }

  /** As {@link #must}, for a ratio against the peer; says nothing if that was not raced. */
  Result mustBeat(double times) {
    Double r = ratio;
    return r == null ? this : must("at least " + Series.text(times) + "x the peer", r >= times);
  }

  Result with(String key, double figure) {
    more.put(key, round(figure));
    return this;
  }

  Map<String, Boolean> musts() {
    return musts;
  }

  Map<String, @Nullable Object> json(String bench, boolean noisy) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("bench", bench);
    json.put("case", name);
    json.put("value", round(value.median()));
    json.put("unit", unit);
    json.put("peer", peer);
    json.put("peer_value", peerValue == null ? null : round(peerValue.median()));
    json.put("ratio", ratio == null ? null : round(ratio));
    json.put("limit", limit == null ? null : round(limit));
    json.put("limit_ratio", limitRatio == null ? null : round(limitRatio));
    json.put("rounds", value.rounds());
    json.put("min", round(value.min()));
    json.put("max", round(value.max()));
    json.putAll(more);
    json.put("must", musts);
    json.put("noisy", noisy);
    return json;
  }

  private static BigDecimal round(double figure) {
    double size = Math.abs(figure);
    int digits = size >= 1000 ? 0 : size >= 10 ? 2 : 4;
    return BigDecimal.valueOf(figure).setScale(digits, RoundingMode.HALF_UP);
  }
}
