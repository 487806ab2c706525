internal import SyncEssentials

/// Dates as catalogs and headers write them, in seconds since 1970, without a locale or a clock.
package enum CivilTime {
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970 of a UTC date; `nil` when there is no such date. Second 60 is taken as 59,
  /// since Unix time has no leap seconds.
  static func seconds(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
  ) -> Double? {
    guard let days = days(year: year, month: month, day: day), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + min(second, 59))
  }

  /// The days from 1 January 1970 to a date of the years 0 to 9999; `nil` when there is no such
  /// date.
  static func days(year: Int, month: Int, day: Int) -> Int? {
    guard (0...9_999).contains(year), (1...12).contains(month),
      (1...daysIn(month: month, of: year)).contains(day)
    else { return nil }
    return daysSince1970(year: year, month: month, day: day)
  }

  /// An RFC 3339 date and time (section 5.6): `2026-11-20T21:47:24.5Z`, `…+01:00`.
  package static func rfc3339(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { rfc3339(UnsafeRawBufferPointer($0)) }
  }

  /// The same, from the bytes where they stand.
  package static func rfc3339(_ text: UnsafeRawBufferPointer) -> Double? {
    var scan = DateScanner(text.assumingMemoryBound(to: UInt8.self))
    guard let year = scan.number(4), scan.take("-"), let month = scan.number(2), scan.take("-"),
      let day = scan.number(2), scan.take("Tt "), let hour = scan.number(2), scan.take(":"),
      let minute = scan.number(2), scan.take(":"), let second = scan.number(2),
      let fraction = fraction(&scan), let offset = zone(&scan), scan.isAtEnd,
      let whole = seconds(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    return whole + fraction - Double(offset)
  }

  /// A date of nginx's HTML listing, `20-Nov-2026 21:47`, as if its unknown zone were UTC.
  package static func nginxDate(_ text: String) -> Double? {
    DateScanner.scan(text) { scan in
      guard let (year, month, day) = writtenDay(&scan), scan.take(" "),
        let hour = scan.number(2), scan.take(":"), let minute = scan.number(2), scan.isAtEnd
      else { return nil }
      return seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: 0)
    }
  }

  /// A date of a directory's page, as if its unknown zone were UTC, and the unit of its precision
  /// in seconds: `2026-11-20 21:47`, with `Nov` for the month, the day first, with seconds.
  package static func listedDate(_ text: String) -> (seconds: Double, unit: Double)? {
    DateScanner.scan(text) { scan in
      guard let (year, month, day) = listedDay(&scan), scan.take(" "),
        let hour = scan.number(2), scan.take(":"), let minute = scan.number(2)
      else { return nil }
      let second = scan.take(":") ? scan.number(2) : nil
      guard scan.isAtEnd,
        let time = seconds(
          year: year, month: month, day: day, hour: hour, minute: minute, second: second ?? 0)
      else { return nil }
      return (time, second == nil ? 60 : 1)
    }
  }

  private typealias Day = (year: Int, month: Int, day: Int)

  private static func listedDay(_ scan: inout DateScanner) -> Day? {
    guard let year = scan.number(4) else { return writtenDay(&scan) }
    guard scan.take("-"), let month = scan.number(2) ?? scan.month(), scan.take("-"),
      let day = scan.number(2)
    else { return nil }
    return (year, month, day)
  }

  /// `20-Nov-2026`
  private static func writtenDay(_ scan: inout DateScanner) -> Day? {
    guard let day = scan.number(2), scan.take("-"), let month = scan.month(), scan.take("-"),
      let year = scan.number(4)
    else { return nil }
    return (year, month, day)
  }

  /// The RFC 3339 form in UTC of a whole number of seconds since 1970.
  package static func rfc3339(secondsSince1970 seconds: Int) -> String {
    let days = (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
    let rest = seconds - days * 86_400
    let (year, month, day) = date(ofDay: days)
    let fields = [month, day, rest / 3_600, rest / 60 % 60, rest % 60].map { pad($0, to: 2) }
    return "\(pad(year, to: 4))-\(fields[0])-\(fields[1])T\(fields[2]):\(fields[3]):\(fields[4])Z"
  }

  private static func fraction(_ scan: inout DateScanner) -> Double? {
    guard scan.take(".") else { return 0 }
    let digits = scan.digits()
    guard (1...18).contains(digits.count) else { return nil }
    return Double("0." + String(decoding: digits, as: UTF8.self))
  }

  /// Seconds east of UTC.
  private static func zone(_ scan: inout DateScanner) -> Int? {
    if scan.take("Zz") { return 0 }
    let isEast = scan.take("+")
    guard isEast || scan.take("-"), let hours = scan.number(2), scan.take(":"),
      let minutes = scan.number(2), hours < 24, minutes < 60
    else { return nil }
    return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
  }

  private static func pad(_ number: Int, to width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  private static func daysIn(month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // Both directions count from 1 March of the year -400, so that the leap day comes last in a year.

  private static let start = -865_565

  private static func days(beforeYear year: Int) -> Int {
    year * 365 + year / 4 - year / 100 + year / 400
  }

  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let months = year * 12 + month - 3 + 12 * 400
    return days(beforeYear: months / 12) + (153 * (months % 12) + 2) / 5 + day - 1 + start
  }

  /// The date that is so many days after 1 January 1970.
  static func date(ofDay days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days - start
    var year = days * 400 / 146_097  // at most one off: 400 years have as many days
    if Self.days(beforeYear: year) > days { year -= 1 }
    if Self.days(beforeYear: year + 1) <= days { year += 1 }
    let rest = days - Self.days(beforeYear: year)
    let month = (5 * rest + 2) / 153
    return (
      year - 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9,
      rest - (153 * month + 2) / 5 + 1
    )
  }
}

/// A moment as it stands in names and in the lock: UTC to the second, `20250131T120000Z`.
package enum UTCStamp {
  package static func text(_ seconds: Double) -> String {
    style.format(Date(timeIntervalSince1970: seconds.rounded(.down)))
  }

  package static func seconds(_ text: String) -> Double? {
    guard text.utf8.count == 16 else { return nil }
    return (try? style.parse(text))?.timeIntervalSince1970
  }

  private static let style = Date.ISO8601FormatStyle(
    dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
}
