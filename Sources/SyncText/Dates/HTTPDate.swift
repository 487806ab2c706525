/// A point in time as HTTP writes it, to the second (RFC 9110, section 5.6.7).
package struct HTTPDate: Hashable, Sendable, Comparable {
  /// Seconds since 1970 began, UTC, leap seconds not counted.
  package var secondsSince1970: Int64

  package init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// Reads any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`; `nil` for anything else.
  ///
  /// - Parameters:
  ///   - text: a header's value.
  ///   - year: this year, for the second form: a two-digit year that would lie more than 50 years
  ///     ahead is in the past. The default is good until it's long past.
  package init?(_ text: String, thisYear year: Int = 2025) {
    // Bytes, not characters: each answer of a server bears one or two of these.
    var text = text
    guard let seconds = text.withUTF8({ Self.seconds($0, thisYear: year) }) else { return nil }
    secondsSince1970 = seconds
  }

  private static func seconds(_ text: UnsafeBufferPointer<UInt8>, thisYear: Int) -> Int64? {
    var scan = DateScanner(text)
    let weekday = scan.letters()
    guard !weekday.isEmpty else { return nil }
    if !scan.take(",") {
      guard scan.takeBlanks(), let month = scan.month(), scan.takeBlanks(),
        let day = day(&scan), scan.takeBlanks(), let time = time(&scan), scan.takeBlanks(),
        let year = scan.number(4), scan.isBlank
      else { return nil }
      return seconds(year, month, day, time)
    }
    _ = scan.takeBlanks()
    guard let day = day(&scan) else { return nil }
    let isShort = scan.take("-")
    guard isShort || scan.takeBlanks(), let month = scan.month(),
      isShort ? scan.take("-") : scan.takeBlanks(),
      let year = isShort ? scan.number(2).map({ self.year($0, near: thisYear) }) : scan.number(4),
      scan.takeBlanks(), let time = time(&scan), scan.takeBlanks(),
      scan.letters().elementsEqual("GMT".utf8), scan.isBlank
    else { return nil }
    return seconds(year, month, day, time)
  }

  package static func < (left: HTTPDate, right: HTTPDate) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }

  private typealias Time = (hour: Int, minute: Int, second: Int)

  private static func day(_ scan: inout DateScanner) -> Int? { scan.number(2) ?? scan.number(1) }

  private static func time(_ scan: inout DateScanner) -> Time? {
    guard let hour = scan.number(2), scan.take(":"), let minute = scan.number(2), scan.take(":"),
      let second = scan.number(2)
    else { return nil }
    return (hour, minute, second)
  }

  private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Time) -> Int64? {
    CivilTime.seconds(
      year: year, month: month, day: day, hour: time.hour, minute: time.minute,
      second: time.second
    ).map { Int64($0) }
  }

  private static func year(_ short: Int, near year: Int) -> Int {
    let candidate = year - year % 100 + short
    if candidate > year + 50 { return candidate - 100 }
    return candidate <= year - 50 ? candidate + 100 : candidate
  }
}
