public import SyncEssentials
import SyncText

/// Moments as people and programs read them.
public enum Moments {
  /// A moment in seconds since 1970 as all our programs write it: in UTC, to the second (RFC 3339),
  /// `2026-11-20T21:47:24Z`.
  public static func text(_ seconds: Double) -> String {
    // What no calendar holds can come from a clock that is wrong; it is shown as the nearest.
    let least = -62_167_219_200.0
    let most = 253_402_300_799.0
    return CivilTime.rfc3339(
      secondsSince1970: Int(min(max(seconds.rounded(.down), least), most)))
  }

  /// A moment to the millisecond: `2026-11-22T09:30:00.000Z`; `nil` for one that no calendar holds.
  public static func text(_ date: Date) -> String? {
    let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded())
    return milliseconds.flatMap { Timestamp(milliseconds: $0)?.text }
  }
}
