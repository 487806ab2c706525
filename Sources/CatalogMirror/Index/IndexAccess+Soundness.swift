extension IndexAccess {
  /// Reads all that the index keeps besides the items, as `status` and the other looks do.
  ///
  /// A run needs little of it, and would pass over damage in the rest for good; a look, which may
  /// change nothing, would find it each time and send the user to a run. So each run reads all of
  /// it before it does anything. It is little: 1,000 runs, the failures of the last one, some
  /// values, and what lies in quarantine. What was announced and not finished, a run reads anyway.
  /// - Throws: `.damaged` where a look would.
  func checkAllButItems() throws {
    try checkValues()
    _ = try failureCount()
    _ = try failures()
    _ = try recentRuns(limit: .max)
    try checkQuarantine()
  }
}
