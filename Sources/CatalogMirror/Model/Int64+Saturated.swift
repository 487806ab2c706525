extension Int64 {
  /// The sum, or the largest number where it doesn't fit: sizes come from a catalog, and a catalog
  /// may say anything.
  func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
