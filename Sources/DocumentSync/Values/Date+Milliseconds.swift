package import SyncEssentials

/// Times as programs have them; within the store, and where decisions are made, they are numbers.
extension Date {
  /// A time in milliseconds since 1970.
  package init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// Milliseconds since 1970, to the nearest one.
  package var milliseconds: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
    // Beyond all calendars it's as far as can be.
    return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
  }
}
