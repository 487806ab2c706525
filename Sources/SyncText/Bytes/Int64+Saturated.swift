extension Int64 {
  /// The sum, or the largest number where it doesn't fit: sizes come from a catalog, and a catalog
  /// may say anything.
  package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// Nanoseconds of seconds, or the nearest number that fits: a clock, too, may say anything.
  package init(nanosecondsOf seconds: Double) {
    let nanoseconds = (seconds * 1_000_000_000).rounded(.down)
    self = Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
  }
}
