/// A promise of the product that an input broke.
package struct Violation: Error, CustomStringConvertible {
  /// Which promise, and what was found.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws when `condition` doesn't hold.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) throws {
  guard condition else { throw Violation(promise()) }
}

/// Throws unless a text can be shown on a terminal as it is.
func requirePrintable(_ text: String, _ what: String) throws {
  if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return }
  let isPrintable = text.unicodeScalars.allSatisfy { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }
  try require(isPrintable, "\(what) can steer a terminal: \(text.debugDescription)")
}

extension Sequence<UInt8> {
  /// The bytes as text, what isn't UTF-8 replaced.
  var text: String { String(decoding: Array(self), as: UTF8.self) }
}

extension [UInt8] {
  /// What stands before the first line break, and what after it.
  var firstLineAndRest: (first: [UInt8], rest: [UInt8]?) {
    let parts = split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    return (Array(parts[0]), parts.count == 2 ? Array(parts[1]) : nil)
  }

  /// A number that is the same for the same bytes (FNV-1a), to choose by.
  var fingerprint: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
