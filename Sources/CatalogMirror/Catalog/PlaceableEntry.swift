package import SyncFolder

/// An entry that can be placed: its key was checked, and is a path below the folder.
///
/// As large as the entry, since a listing may hold millions.
@dynamicMemberLookup
package struct PlaceableEntry: Hashable, Sendable {
  /// The entry as it is listed.
  package let listed: CatalogEntry

  /// Checks an entry's key.
  /// - Throws: why it is no path.
  package init(_ entry: CatalogEntry) throws(KeyProblem) {
    _ = try RelativePath(entry.key)
    listed = entry
  }

  package var key: CatalogKey { listed.key }

  /// Where its content goes.
  package var path: RelativePath { RelativePath(ofChecked: listed.key) }

  /// What else is listed of it.
  package subscript<Value>(dynamicMember fact: KeyPath<CatalogEntry, Value>) -> Value {
    listed[keyPath: fact]
  }
}
