internal import SyncEssentials

/// A moment as it stands in names and in the lock: UTC to the second, `20250131T120000Z`.
package enum UTCStamp {
  /// The stamp of seconds since 1970.
  package static func text(_ seconds: Double) -> String {
    style.format(Date(timeIntervalSince1970: seconds.rounded(.down)))
  }

  /// The seconds since 1970 of a stamp; `nil` when it isn't one.
  package static func seconds(_ text: String) -> Double? {
    guard text.utf8.count == 16 else { return nil }
    return (try? style.parse(text))?.timeIntervalSince1970
  }

  private static let style = Date.ISO8601FormatStyle(
    dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
}
