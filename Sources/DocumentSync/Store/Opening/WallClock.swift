private import SyncEssentials

/// The system's clock.
enum WallClock {
  /// What time it is, in milliseconds since 1970.
  @Sendable static func milliseconds() -> Int64 {
    Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))
  }
}
