// Stands in for the catalog room's types of the same names; goes away when the rooms are joined.

/// A key that is a safe path below the folder.
package struct RelativePath: Hashable, Sendable {
  /// The path's bytes, components joined by `/`.
  package let bytes: [UInt8]

  /// The components, in order.
  package var components: [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "/")) }

  /// The path of a key; throws when the key is no path.
  package init(_ key: CatalogKey) throws {
    let parts = key.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let forbidden: Set<[UInt8]> = [[], Array(".".utf8), Array("..".utf8), Array(".mirror".utf8)]
    guard !parts.contains(where: { forbidden.contains(Array($0)) || $0.contains(0) }) else {
      throw NotAPath()
    }
    bytes = key.bytes
  }

  struct NotAPath: Error {}
}

/// Which names a file system holds for equal.
package struct NameFolding: Hashable, Sendable {
  /// Whether "a" and "A" are one name.
  package var caseFolding: Bool
  /// Whether the composed and the decomposed "é" are one name.
  package var unicodeNormalizing: Bool

  /// The two answers.
  package init(caseFolding: Bool, unicodeNormalizing: Bool) {
    self.caseFolding = caseFolding
    self.unicodeNormalizing = unicodeNormalizing
  }
}
