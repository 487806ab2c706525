import SyncText

/// When a listing's date for an item is old enough to tell every later state from this one.
///
/// A file that changes twice within one unit of the date's precision shows the same date both
/// times; so a date within one unit of the listing's own `Date` is not settled.
package struct ListingDate: Sendable {
  package enum Zone: Hashable, Sendable {
    case utc
    /// UTC or the server's own; nothing in the listing tells which.
    case unknown
  }

  /// Seconds since 1970, as if it were UTC.
  package var seconds: Double
  /// The unit of the date's precision, in seconds.
  package var unit: Double
  package var zone: Zone

  package init(utc seconds: Double) {
    (self.seconds, unit, zone) = (seconds, 1, .utc)
  }

  /// nginx's JSON: HTTP dates, to the second, in UTC.
  package init?(nginxJSON text: String) {
    guard let date = HTTPDate(text) else { return nil }
    seconds = Double(date.secondsSince1970)
    unit = 1
    zone = .utc
  }

  /// nginx's HTML: to the minute, in UTC or, with `autoindex_localtime`, the server's zone.
  package init?(nginxHTML text: String) {
    guard let seconds = CivilTime.nginxDate(text) else { return nil }
    self.seconds = seconds
    unit = 60
    zone = .unknown
  }

  /// A date that a server writes in a zone that it doesn't name: `2026-11-20 21:47`,
  /// `2026-Nov-20 21:47:24` or `20-Nov-2026 21:47`, to the minute or to the second.
  package init?(local text: String) {
    guard let (seconds, unit) = CivilTime.listedDate(text) else { return nil }
    self.seconds = seconds
    self.unit = unit
    zone = .unknown
  }

  /// An RFC 3339 date in UTC, to the second.
  package init?(rfc3339 text: String) {
    guard text.hasSuffix("Z"), let seconds = CivilTime.rfc3339(text) else { return nil }
    self.seconds = seconds
    unit = 1
    zone = .utc
  }

  /// A date and time in W3C's form ("Date and Time Formats"), as sitemaps have them: a year, a
  /// month or a day alone, in any zone, or a time with its zone, to the minute or to the second.
  package init?(w3c text: String) {
    if let second = CivilTime.rfc3339(text) {
      (seconds, unit, zone) = (second, 1, .utc)
    } else if let minute = CivilTime.rfc3339(Self.withSeconds(text)) {
      (seconds, unit, zone) = (minute, 60, .utc)
    } else if let (day, days) = Self.day(text) {
      // Its zone may be a day away from UTC.
      (seconds, unit, zone) = (day, (days + 1) * 86_400, .utc)
    } else {
      return nil
    }
  }

  /// A date in whichever of these forms it is written.
  package init?(_ text: String) {
    guard let date = Self(nginxJSON: text) ?? Self(local: text) ?? Self(w3c: text) else {
      return nil
    }
    self = date
  }

  /// The first moment of a year, a month or a day, and how many days that has at most.
  private static func day(_ text: String) -> (seconds: Double, days: Double)? {
    let forms: [Int: (rest: String, days: Double)] = [
      4: ("-01-01", 366), 7: ("-01", 31), 10: ("", 1),
    ]
    guard let form = forms[text.utf8.count] else { return nil }
    return CivilTime.rfc3339(text + form.rest + "T00:00:00Z").map { ($0, form.days) }
  }

  private static func withSeconds(_ text: String) -> String {
    let end = text.index(text.startIndex, offsetBy: 16, limitedBy: text.endIndex) ?? text.endIndex
    return text[..<end] + ":00" + text[end...]
  }

  /// The modification time; `nil` when the zone is unknown.
  package var modified: Double? { zone == .utc ? seconds : nil }

  /// Whether no later change can bear this date, given the listing's `Date` in seconds since 1970;
  /// without a `Date`, nothing is settled.
  package func isSettled(listedAt date: Double?) -> Bool {
    guard let date else { return false }
    let age = date - seconds
    switch zone {
    case .utc:
      return abs(age) > unit
    case .unknown:
      // Zones lie between -12 and +14 hours, in steps of a quarter of an hour.
      guard age > -14 * 3_600 - unit, age < 12 * 3_600 + unit else { return true }
      let step = 900.0
      let offset = abs(age - (age / step).rounded() * step)
      return offset > unit
    }
  }

  /// Whether its unit had ended when the server's clock said `time`, in seconds since 1970.
  package func hasEnded(by time: Double?) -> Bool {
    guard let time, isSettled(listedAt: time) else { return false }
    return zone == .unknown || time > seconds
  }
}

extension ItemVersion {
  /// Whether it tells every later state from this one, in a list that was made at that time, where
  /// its date says `date`: a size alone doesn't, nor does a date as young as the list.
  func isSettled(_ date: ListingDate?, listedAt time: Double?) -> Bool {
    switch self {
    case .digest, .strongETag, .weakETag, .revision: true
    case .dateAndSize: date?.isSettled(listedAt: time) ?? false
    case .unknown: false
    }
  }
}
