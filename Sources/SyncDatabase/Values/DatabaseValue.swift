private import SyncSystem

/// A value as SQLite stores it. SQLite's NULL is `nil` of an optional.
package enum StoredValue: Sendable, Hashable {
  case integer(Int64)
  /// A number in double precision; NaN can't be stored and is refused.
  case real(Double)
  /// Text in UTF-8; may hold NUL.
  case text(String)
  /// Bytes; none at all is not NULL.
  case blob([UInt8])
}

extension StoredValue {
  /// Equal as SQLite tells values apart: texts by their bytes, where Swift would take a composed
  /// and a decomposed "é" for one.
  package static func == (one: StoredValue, other: StoredValue) -> Bool {
    switch (one, other) {
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.hasBytes(of: other)
    case (.blob(let one), .blob(let other)): one == other
    case (.integer, _), (.real, _), (.text, _), (.blob, _): false
    }
  }
}

extension String {
  /// Whether both are the same bytes of UTF-8. (Swift's own comparison of views goes byte by byte.)
  fileprivate func hasBytes(of other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (one, two) = (self, other)
    return one.withUTF8 { one in
      two.withUTF8 { two in
        guard let start = one.baseAddress, let other = two.baseAddress else { return true }
        return memcmp(start, other, one.count) == 0
      }
    }
  }
}

/// A type whose values can be bound to the parameters of a statement.
package protocol DatabaseValue {
  /// The value as SQLite stores it. Must not depend on anything but the value.
  var storedValue: StoredValue { get }
}

extension StoredValue: DatabaseValue {
  package var storedValue: StoredValue { self }
}

extension Int64: DatabaseValue {
  package var storedValue: StoredValue { .integer(self) }
}

extension Int: DatabaseValue {
  package var storedValue: StoredValue { .integer(Int64(self)) }
}

extension Bool: DatabaseValue {
  package var storedValue: StoredValue { .integer(self ? 1 : 0) }
}

extension Double: DatabaseValue {
  package var storedValue: StoredValue { .real(self) }
}

extension String: DatabaseValue {
  package var storedValue: StoredValue { .text(self) }
}

extension [UInt8]: DatabaseValue {
  package var storedValue: StoredValue { .blob(self) }
}
