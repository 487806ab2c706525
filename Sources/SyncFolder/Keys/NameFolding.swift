private import SyncText

/// What a file system folds when it compares names; the store probes it once.
///
/// The folding here is at least as wide as that of APFS and of ext4 with casefold, so that two keys
/// which such a file system holds for one name are never taken for two.
package struct NameFolding: Hashable, Sendable {
  package var caseFolding: Bool
  /// The composed and the decomposed "é" are one name.
  package var unicodeNormalizing: Bool
  /// "a" and "a." are one name, as on FAT; a blank at the end may be dropped just so.
  package var endDropping: Bool

  /// A folding of these kinds; none by default, as on Linux file systems.
  package init(
    caseFolding: Bool = false, unicodeNormalizing: Bool = false, endDropping: Bool = false
  ) {
    self.caseFolding = caseFolding
    self.unicodeNormalizing = unicodeNormalizing
    self.endDropping = endDropping
  }

  /// Bytes compared as they are.
  package static let none = NameFolding()

  /// The form in which names that the file system holds for one are equal. Takes valid UTF-8.
  package func fold(_ bytes: [UInt8]) -> [UInt8] {
    guard self != .none else { return bytes }
    var text = String(decoding: bytes, as: UTF8.self)
    if unicodeNormalizing { text = text.decomposed }
    if caseFolding { text = Self.foldCase(text) }
    if unicodeNormalizing { text = text.decomposed }
    return endDropping ? Self.dropEnds(Array(text.utf8)) : Array(text.utf8)
  }

  /// A path without the dots and blanks at its components' ends. One of nothing else stays.
  private static func dropEnds(_ path: [UInt8]) -> [UInt8] {
    let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let shortened = components.map { component in
      let end = component.lastIndex { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: " ") }
      return end.map { component[...$0] } ?? component
    }
    return Array(shortened.joined(separator: [UInt8(ascii: "/")]))
  }

  /// Lower, upper and again lower case, scalar by scalar: folds what Unicode's full case folding
  /// folds ("ß" with "SS" and "ẞ", the final sigma with the other), without a locale and without
  /// context. The first step is for capitals that are no other letter's, such as "ẞ".
  private static func foldCase(_ text: String) -> String {
    var folded = text
    for mapping in [\.lowercaseMapping, \.uppercaseMapping, \.lowercaseMapping] as [Mapping] {
      folded = folded.unicodeScalars.reduce(into: "") { $0 += $1.properties[keyPath: mapping] }
    }
    return folded
  }

  private typealias Mapping = KeyPath<Unicode.Scalar.Properties, String>
}
