import SyncText

/// A date as publishers write it.
enum DateText {
  /// Seconds since 1970 of a date in RFC 3339, as in mail or HTTP, or as that very number; `nil`
  /// for anything else, and for a date whose zone isn't said.
  static func seconds(_ text: String) -> Double? {
    if let seconds = CivilTime.rfc3339(text) ?? CivilTime.mail(text) { return seconds }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
      return nil
    }
    // Milliseconds would lie far beyond the years that a date may have.
    return Double(text).flatMap { (0..<253_402_300_800).contains($0) ? $0 : nil }
  }
}
