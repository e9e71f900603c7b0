"""Summaries of samples."""

import statistics


def summary(samples, digits=3):
    """Median, least and greatest of the samples, under the names that all peers use."""
    return {
        "p50": round(statistics.median(samples), digits),
        "min": round(min(samples), digits),
        "max": round(max(samples), digits),
        "samples": len(samples),
    }
