import SyncText

/// A date as publishers write it.
enum DateText {
  /// Seconds since 1970 of a date in RFC 3339, as in mail or HTTP, or as that very number; `nil`
  /// for anything else, and for a date whose zone isn't said.
  ///
  /// A number counts only as a moment of the years 1980 to 9999, in seconds or milliseconds: a
  /// version or a counter would date files to 1970.
  static func seconds(_ text: String) -> Double? {
    if let seconds = CivilTime.rfc3339(text) ?? CivilTime.mail(text) { return seconds }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
      return nil
    }
    guard let number = Double(text) else { return nil }
    if dated.contains(number) { return number }
    return dated.contains(number / 1_000) ? number / 1_000 : nil
  }

  /// From the start of 1980 to that of 10000. Its thousandfold lies far beyond it.
  private static let dated = 315_532_800.0..<253_402_300_800.0
}
