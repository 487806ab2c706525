private import SyncDatabase

/// The name of a value that the index keeps once.
package struct MetaName: Hashable, Sendable {
  /// The name as it is stored; never changed once released.
  package let name: String

  /// A name of the caller's own.
  package init(_ name: String) {
    self.name = name
  }

  /// The id that the folder's marker carries too.
  package static let folderID = MetaName("folder.id")
  /// The catalog's address, without secrets.
  package static let catalog = MetaName("catalog")
  /// The identity of the catalog that the folder mirrors. The caller compares.
  package static let catalogIdentity = MetaName("catalog.identity")
  /// What tells the set of directories that the last run couldn't read from others. The caller
  /// compares.
  package static let unreadableDirectories = MetaName("directories.unreadable")
  /// Whether any run wanted contents: `no` while all were of previews only.
  package static let wantsContents = MetaName("contents.wanted")
  /// The highest ordered revision seen. The caller compares.
  package static let highestRevision = MetaName("revision.highest")
}

extension IndexAccess {
  /// The value that was stored under a name.
  package func value(_ name: MetaName) throws -> String? {
    try connection.row("SELECT * FROM meta WHERE name = ?1", name.name) { row in
      try row.requireChecksum(2)
      return try row.text(1)
    }
  }
}

extension IndexWriter {
  /// Stores a value under a name, or with `nil` takes it away.
  package func setValue(_ value: String?, for name: MetaName) throws {
    guard let value else {
      try connection.run("DELETE FROM meta WHERE name = ?1", name.name)
      return
    }
    try connection.run(
      "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)", name.name, value)
  }
}
