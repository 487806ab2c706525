/// Waits that double from one trouble to the next, up to a limit. Each lies between half and all of
/// its length, so that not all who met the same trouble come back at once.
package struct Backoff: Sendable, Equatable {
  private let first: Duration
  private let longest: Duration

  /// - Parameters:
  ///   - first: the first wait, at most.
  ///   - longest: the longest wait.
  package init(first: Duration, longest: Duration) {
    (self.first, self.longest) = (first, longest)
  }

  /// How long to wait after so many troubles in a row.
  ///
  /// - Parameter random: from 0 up to 1.
  package func wait(after troubles: Int, random: Double) -> Duration {
    let doubled = min(longest, first * (1 << min(max(0, troubles - 1), 20)))
    return doubled * (0.5 + 0.5 * min(max(0, random), 1))
  }
}
