extension CivilTime {
  /// A date as mail and feeds write it (RFC 5322, sections 3.3 and 4.3):
  /// `Mon, 02 Mar 2026 07:05:00 +0100`, the weekday and the seconds being optional, a year of two
  /// digits one from 1950 to 2049, and the zone a number, `GMT`, `UT`, `UTC`, `Z` or one of the
  /// American ones; `nil` for anything else.
  package static func mail(_ text: String) -> Double? {
    DateScanner.scan(text) { mail(&$0) }
  }

  private static func mail(_ scan: inout DateScanner) -> Double? {
    _ = scan.takeBlanks()
    if scan.letters().count >= 3 { _ = scan.take(",") }
    _ = scan.takeBlanks()
    guard let day = short(scan.digits(), 1...2), scan.takeBlanks(), let month = month(&scan),
      scan.takeBlanks(), let year = year(scan.digits()), scan.takeBlanks(),
      let hour = short(scan.digits(), 1...2), scan.take(":"), let minute = scan.number(2)
    else { return nil }
    var second = 0
    if scan.take(":") {
      guard let number = scan.number(2) else { return nil }
      second = number
    }
    guard scan.takeBlanks(), let offset = mailZone(&scan) else { return nil }
    _ = scan.takeBlanks()
    guard scan.isAtEnd else { return nil }
    return seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
      .map { $0 - Double(offset) }
  }

  /// Hours east of UTC (RFC 822, section 5.1, without the letters of ships, but for Z).
  static let zones = [
    "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7,
  ]

  private typealias Digits = Slice<UnsafeBufferPointer<UInt8>>

  private static func short(_ digits: Digits, _ counts: ClosedRange<Int>) -> Int? {
    guard counts.contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func year(_ digits: Digits) -> Int? {
    guard let year = short(digits, 2...4), digits.count != 3 else { return nil }
    if digits.count == 4 { return year }
    return year + (year < 50 ? 2_000 : 1_900)
  }

  /// A month by its short name or, as some write it, its long one.
  private static func month(_ scan: inout DateScanner) -> Int? {
    guard let month = scan.month() else { return nil }
    _ = scan.letters()
    return month
  }

  /// Seconds east of UTC.
  private static func mailZone(_ scan: inout DateScanner) -> Int? {
    let isEast = scan.take("+")
    if isEast || scan.take("-") {
      guard let hours = scan.number(2) else { return nil }
      _ = scan.take(":")
      guard let minutes = scan.number(2), hours < 24, minutes < 60 else { return nil }
      return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
    }
    return zones[String(decoding: scan.letters(), as: UTF8.self)].map { $0 * 3_600 }
  }
}
