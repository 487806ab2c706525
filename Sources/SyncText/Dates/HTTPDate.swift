/// A point in time as HTTP writes it, to the second (RFC 9110, section 5.6.7).
package struct HTTPDate: Hashable, Sendable, Comparable {
  /// Seconds since 1970 began, UTC, leap seconds not counted.
  package var secondsSince1970: Int64

  /// That many seconds since 1970 began.
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
    usual(text) ?? inAnyForm(text, thisYear: thisYear)
  }

  /// The first form as all servers write it today. Each answer bears two such dates.
  private static func usual(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count == 29 else { return nil }
    var scan = DateScanner(text)
    guard scan.letters().count == 3, scan.take(","), scan.take(" "), let day = scan.number(2),
      scan.take(" "), let month = scan.month(), scan.take(" "), let year = scan.number(4),
      scan.take(" "), let hour = scan.number(2), scan.take(":"), let minute = scan.number(2),
      scan.take(":"), let second = scan.number(2), scan.take(" "),
      text[26...].elementsEqual("GMT".utf8),
      let seconds = CivilTime.seconds(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    return Int64(seconds)
  }

  private static func inAnyForm(_ text: UnsafeBufferPointer<UInt8>, thisYear: Int) -> Int64? {
    let words = text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
    switch words.count {
    case 6 where words[5].elementsEqual("GMT".utf8) && text[3] == UInt8(ascii: ","):
      return seconds(words[1], words[2], number(words[3], digits: 4...4), words[4])
    case 4 where words[3].elementsEqual("GMT".utf8):
      let date = words[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      guard date.count == 3 else { return nil }
      let short = number(date[2], digits: 2...2)
      return seconds(date[0], date[1], short.map { year($0, near: thisYear) }, words[2])
    case 5 where !text.contains(UInt8(ascii: ",")):
      return seconds(words[2], words[1], number(words[4], digits: 4...4), words[3])
    default: return nil
    }
  }

  /// Earlier before later.
  package static func < (left: HTTPDate, right: HTTPDate) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private static func seconds(
    _ day: Bytes, _ month: Bytes, _ year: Int?, _ time: Bytes
  ) -> Int64? {
    let clock = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { number($0, digits: 2...2) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      let year, let day = number(day, digits: 1...2),
      let month = CivilTime.months.firstIndex(where: { $0.utf8.elementsEqual(month) })
    else { return nil }
    return CivilTime.seconds(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second
    ).map { Int64($0) }
  }

  private static func number(_ text: Bytes, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.count),
      text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func year(_ short: Int, near year: Int) -> Int {
    let candidate = year - year % 100 + short
    if candidate > year + 50 { return candidate - 100 }
    return candidate <= year - 50 ? candidate + 100 : candidate
  }
}
