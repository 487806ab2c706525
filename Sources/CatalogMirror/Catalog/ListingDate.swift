import SyncText

/// When a listing's date for an item is old enough to tell every later state from this one.
///
/// A file that changes twice within one unit of the date's precision shows the same date both
/// times; so a date within one unit of the listing's own `Date` is not settled.
package struct ListingDate: Hashable, Sendable {
  /// The zone that a format writes its dates in.
  package enum Zone: Hashable, Sendable {
    /// UTC.
    case utc
    /// UTC or the server's own; nothing in the listing tells which.
    case unknown
  }

  /// Seconds since 1970, as if it were UTC.
  package var seconds: Double
  /// The unit of the date's precision, in seconds.
  package var unit: Double
  /// What the date is written in.
  package var zone: Zone

  /// A date in UTC, to the second.
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
}
