public import DocumentSync

/// How a REST service speaks of its rows.
///
/// Two levels of service go with it. One that knows the key of its rows alone is *updated*: whoever
/// writes last has the word, and each list is of all rows. One whose rows have a date of their last
/// change (``modified``), and which answers whether a change met another one (``conflict``), is
/// *synced*: no change is written over one that wasn't seen.
public struct RestDialect: Sendable {
  /// How a service writes its keys.
  public enum KeyForm: Sendable, Hashable {
    /// As strings. A number that a row has as its key is known by its digits, and written as a
    /// number again.
    case text
    /// As numbers: an id here must be one.
    case number
  }

  /// What becomes of members that are `null`.
  public enum Nulls: Sendable, Hashable {
    /// They are values as others are.
    case kept
    /// They aren't there.
    case cleared
  }

  /// How a service is asked.
  public var driver: any RestDriver = PlainRestDriver()
  /// The name under which an answer has its rows; `nil`, the default, where it is the bare array.
  public var rows: String?
  /// The name under which an answer has its one row; `nil`, the default, where it is the bare row.
  public var row: String?
  /// The member that is a row's key. By default `id`.
  public var key = "id"
  /// How keys are written. By default as text.
  public var keyForm = KeyForm.text
  /// The member with the date of a row's last change: a string (RFC 3339), or a number that rises.
  /// `nil`, the default, where there is none.
  public var modified: String?
  /// The parameter that asks for rows changed at a date or later. By default the date's member with
  /// `__gte` behind it.
  public var since: String?
  /// The member by which a row says that it was deleted, if its value is true; `nil`, the default,
  /// where rows don't, so that deletions show in a list of all rows alone.
  public var deleted: String?
  /// The member of an answer, or of its row, that says whether the change met another one: its
  /// value counts, not that it's there. `nil`, the default, where none does.
  public var conflict: String?
  /// How text is encoded where an answer doesn't say. By default UTF-8.
  public var charset = RestCharset.utf8
  /// What becomes of members that are `null`. By default they are kept.
  public var nulls = Nulls.kept

  // What is asked in this order, with each call.
  /// Completes a call before it's made into a request; also when a document is to be stored, to see
  /// whether it could be sent, so that it must return soon and change nothing else.
  public var prepare: (@Sendable (inout RestCall) throws -> Void)?
  /// Says why a whole answer with a status of success is none, in words; `nil` if it is one.
  public var problem: (@Sendable (DocumentValue) -> String?)?
  /// Makes a document of a row; keys, dates and flags are looked for in what it gives.
  public var reading: (@Sendable (DocumentValue) throws -> DocumentValue)?
  /// Makes a row of a document, before key and date are added.
  public var writing: (@Sendable (DocumentValue) throws -> DocumentValue)?
  /// Says whether an answer tells that the change met another one, in place of ``conflict``.
  public var isConflict: (@Sendable (DocumentValue) -> Bool)?

  /// Bare rows with a key `id`, updated only.
  public init() {}

  /// Whether changes are told from a date on: only where deletions are told, too.
  var tellsChanges: Bool { modified != nil && deleted != nil }

  /// Whether a change that meets another one is told.
  var tellsConflicts: Bool { modified != nil && (conflict != nil || isConflict != nil) }
}

/// An encoding of text.
public enum RestCharset: Sendable, Hashable {
  /// UTF-8 (RFC 3629).
  case utf8
  /// ISO 8859-1.
  case latin1
  /// UTF-16 (RFC 2781); without a byte order mark, the more significant byte comes first.
  case utf16
  /// UTF-16 with the less significant byte first, where no byte order mark says otherwise.
  case utf16LittleEndian

  /// The encoding of that name (RFC 2978); `nil` for one that isn't known here.
  package init?(named name: String) {
    switch name.lowercased() {
    case "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
    case "iso-8859-1", "iso_8859-1", "latin1", "l1": self = .latin1
    case "utf-16", "utf-16be": self = .utf16
    case "utf-16le": self = .utf16LittleEndian
    default: return nil
    }
  }

  /// The bytes in UTF-8; `nil` if they aren't text in this encoding.
  func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .utf8: return bytes
    case .latin1: return bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    case .utf16: return Self.utf8(units: bytes, startingLow: false)
    case .utf16LittleEndian: return Self.utf8(units: bytes, startingLow: true)
    }
  }

  private static func utf8(units bytes: [UInt8], startingLow: Bool) -> [UInt8]? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let marks: [[UInt8]: Bool] = [[0xFF, 0xFE]: true, [0xFE, 0xFF]: false]
    let mark = marks[Array(bytes.prefix(2))]
    let isReversed = mark ?? startingLow
    let units = stride(from: mark == nil ? 0 : 2, to: bytes.count, by: 2).map { place -> UInt16 in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isReversed ? second << 8 | first : first << 8 | second
    }
    guard let text = String(validating: units, as: UTF16.self) else { return nil }
    return Array(text.utf8)
  }
}
