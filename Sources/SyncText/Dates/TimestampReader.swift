/// Reads points in time as JSON from anywhere writes them:
///
/// - RFC 3339 and its relatives: `2014-01-02`, `2014-01-02T10:30`, with `T` or a space, seconds
///   with up to 9 digits of fraction, and `Z`, `UTC`, `+01`, `+0100`, `+01:00` or nothing, which is
///   UTC
/// - RFC 822: `Thu, 02 Jan 2014 10:30:00 +0100`, `2 Jan 14 10:30 EST`
/// - Unix time: `1388658600`, a number in digits, in a unit that its size tells
/// - `/Date(1388658600000)/`, milliseconds
///
/// Anything else, and what isn't in the calendar, is none.
enum TimestampReader {
  /// Milliseconds since 1970.
  static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard let first = text.first else { return nil }
    if first == UInt8(ascii: "/") { return wrapped(text) }
    guard first.isDigit || first == UInt8(ascii: "-") else { return rfc822(text) }
    if text.count >= 10, first.isDigit, text[4] == UInt8(ascii: "-") { return calendar(text) }
    return text.contains(UInt8(ascii: " "))
      ? rfc822(text) : UnixTime.milliseconds(text, allowsExponent: false)
  }

  private static func calendar(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var scan = DateScanner(text)
    guard let year = scan.number(4), scan.take("-"), let month = scan.number(2), scan.take("-"),
      let day = scan.number(2), let days = CivilTime.days(year: year, month: month, day: day)
    else { return nil }
    var time: Int64 = 0
    if !scan.isAtEnd {
      guard scan.take("Tt "), let clock = clock(&scan) else { return nil }
      time = clock
      if !scan.isAtEnd {
        _ = scan.take(" ")
        guard let zone = zone(&scan) else { return nil }
        time -= zone
      }
    }
    return scan.isAtEnd ? Int64(days) * 86_400_000 + time : nil
  }

  /// RFC 822, section 5, with the years of RFC 2822.
  private static func rfc822(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var scan = DateScanner(text)
    let weekday = scan.letters()
    if !weekday.isEmpty {
      let name = String(decoding: weekday, as: UTF8.self).lowercased()
      guard weekdays.contains(name), scan.take(",") else { return nil }
      _ = scan.takeBlanks()
    }
    guard let day = scan.number(2) ?? scan.number(1), scan.takeBlanks(),
      let month = scan.month(), scan.takeBlanks(), let year = year(&scan), scan.takeBlanks(),
      let days = CivilTime.days(year: year, month: month, day: day), let time = clock(&scan),
      scan.takeBlanks(), let zone = zone(&scan), scan.isAtEnd
    else { return nil }
    return Int64(days) * 86_400_000 + time - zone
  }

  /// The form of .NET's older serializers: milliseconds, in any size; a zone after them only says
  /// where it was written.
  private static func wrapped(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let (head, tail) = ("/Date(".utf8, ")/".utf8)
    guard text.starts(with: head), text.reversed().starts(with: tail.reversed()),
      text.count > head.count + tail.count
    else { return nil }
    var inside = text[head.count..<text.count - tail.count]
    if let sign = inside.dropFirst().firstIndex(where: { $0 == 0x2B || $0 == 0x2D }) {
      var scan = DateScanner(UnsafeBufferPointer(rebasing: inside[sign...]))
      guard zone(&scan) != nil, scan.isAtEnd else { return nil }
      inside = inside[..<sign]
    }
    return Int64(decimal: UnsafeBufferPointer(rebasing: inside))
  }

  /// Milliseconds of `10:30`, `10:30:00`, `10:30:00.123456789`; `24:00:00` is the end of the day.
  private static func clock(_ scan: inout DateScanner) -> Int64? {
    guard let hour = scan.number(2), scan.take(":"), let minute = scan.number(2) else { return nil }
    var second = 0
    var fraction = 0
    var isWhole = true
    if scan.take(":") {
      guard let number = scan.number(2) else { return nil }
      second = number
      if scan.take(".") {
        let digits = scan.digits()
        guard (1...9).contains(digits.count) else { return nil }
        isWhole = digits.allSatisfy { $0 == 0x30 }
        for place in 0..<3 {
          let digit = place < digits.count ? digits[digits.startIndex + place] - 0x30 : 0
          fraction = fraction * 10 + Int(digit)
        }
      }
    }
    let isMidnight = hour == 24 && minute == 0 && second == 0 && isWhole
    guard hour < 24 || isMidnight, minute < 60, second < 60 else { return nil }
    return Int64(((hour * 60 + minute) * 60 + second) * 1_000 + fraction)
  }

  /// Two digits are the years 1950 to 2049.
  private static func year(_ scan: inout DateScanner) -> Int? {
    if let year = scan.number(4) { return year }
    return scan.number(2).map { $0 < 50 ? 2_000 + $0 : 1_900 + $0 }
  }

  /// Milliseconds east of UTC.
  private static func zone(_ scan: inout DateScanner) -> Int64? {
    let isEast = scan.take("+")
    guard isEast || scan.take("-") else {
      if scan.take("Zz") { return 0 }
      let name = String(decoding: scan.letters(), as: UTF8.self).uppercased()
      return CivilTime.zones[name].map { Int64($0) * 3_600_000 }
    }
    guard let hours = scan.number(2) else { return nil }
    let hasColon = scan.take(":")
    let minutes = scan.number(2)
    guard minutes != nil || !hasColon, hours < 24, minutes ?? 0 < 60 else { return nil }
    return (isEast ? 1 : -1) * Int64(hours * 60 + (minutes ?? 0)) * 60_000
  }

  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
}

/// A cursor over the bytes of a date.
struct DateScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  /// What `body` makes of a text.
  static func scan<Result>(
    _ text: String, _ body: (inout DateScanner) -> Result?
  ) -> Result? {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = DateScanner(bytes)
      return body(&scanner)
    }
  }

  var isAtEnd: Bool { position == text.count }

  /// Whether nothing but blanks is left.
  var isBlank: Bool { text[position...].allSatisfy { $0 == UInt8(ascii: " ") } }

  var next: UInt8? { position < text.count ? text[position] : nil }

  mutating func take(_ allowed: StaticString) -> Bool {
    guard let next, allowed.withUTF8Buffer({ $0.contains(next) }) else { return false }
    position += 1
    return true
  }

  mutating func takeBlanks() -> Bool {
    guard take(" ") else { return false }
    while take(" ") {}
    return true
  }

  mutating func number(_ digits: Int) -> Int? {
    guard text.count - position >= digits else { return nil }
    var number = 0
    for place in position..<position + digits {
      guard text[place].isDigit else { return nil }
      number = number * 10 + Int(text[place] - 0x30)
    }
    position += digits
    return number
  }

  mutating func digits() -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = position
    while let next, next.isDigit { position += 1 }
    return text[start..<position]
  }

  mutating func letters() -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = position
    while let next, next.isSmall || next.isCapital { position += 1 }
    return text[start..<position]
  }

  /// A month as headers name it, January being 1.
  mutating func month() -> Int? {
    guard text.count - position >= 3 else { return nil }
    let name = text[position..<position + 3]
    guard let index = CivilTime.months.firstIndex(where: { $0.utf8.elementsEqual(name) })
    else { return nil }
    position += 3
    return index + 1
  }
}
