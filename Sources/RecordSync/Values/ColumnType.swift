/// What a column holds: what its declared type says, or an override.
public struct ColumnType: Hashable, Sendable {
  /// What its values mean.
  public var kind: Kind
  /// What SQLite does with values that are stored in it (sqlite.org, "Datatypes In SQLite", 3.1).
  public var affinity: Affinity
  /// Whether the column refuses what isn't of its type (sqlite.org, "STRICT Tables").
  package var isStrict = false

  /// A type from its parts.
  public init(kind: Kind, affinity: Affinity) {
    self.kind = kind
    self.affinity = affinity
  }

  /// What values mean.
  public enum Kind: Hashable, Sendable {
    /// Text as it came.
    case text
    /// A whole number of 64 bits.
    case integer
    /// A number in double precision.
    case real
    /// A decimal number: exact, as text, where the affinity is ``Affinity/text``.
    case decimal
    /// 1 or 0.
    case boolean
    /// A point in time.
    case date(DateStorage)
    /// A UUID in its canonical form, lower case.
    case uuid
    /// A URL.
    case url
    /// JSON text.
    case json
    /// Bytes; in JSON as base64.
    case blob
    /// Any scalar as it came: a column without a type.
    case any
  }

  /// How a point in time is stored.
  public enum DateStorage: String, Hashable, Sendable {
    /// RFC 3339, UTC, with milliseconds: `2026-11-22T09:30:00.000Z`.
    case text
    /// Milliseconds since 1970, an integer.
    case milliseconds
    /// Seconds since 1970: an integer, or a real where the column's affinity is real.
    case seconds
  }

  /// SQLite's type affinities.
  public enum Affinity: Hashable, Sendable {
    /// TEXT
    case text
    /// NUMERIC
    case numeric
    /// INTEGER
    case integer
    /// REAL
    case real
    /// BLOB, which is none
    case blob
  }
}
