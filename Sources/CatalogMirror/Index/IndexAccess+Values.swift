private import SyncDatabase

/// The name of a value that the index keeps once.
package struct ValueName: Hashable, Sendable {
  /// The name as it is stored; never changed once released.
  package let name: String

  package init(_ name: String) {
    self.name = name
  }
}

extension ValueName {
  /// The id that the folder's marker carries too.
  package static let folderID = ValueName("folder.id")
  /// The catalog's address, without secrets.
  package static let catalog = ValueName("catalog")
  /// The identity of the catalog that the folder mirrors. The caller compares.
  package static let catalogIdentity = ValueName("catalog.identity")
  /// What tells the set of directories that the last run couldn't read from others. The caller
  /// compares.
  package static let unreadableDirectories = ValueName("directories.unreadable")
  /// The first of these directories with their reasons, in lines; only shown to people.
  package static let unreadableList = ValueName("directories.unreadable.list")
  /// Why the last run that got a listing couldn't remove anything, in lines. The caller compares.
  package static let partialReasons = ValueName("listing.partial")
  /// What tells the scope of the last run from others; absent, it was everything. The caller
  /// compares.
  package static let scope = ValueName("scope")
  /// Whether any run wanted contents: `no` while all were of previews only.
  package static let wantsContents = ValueName("contents.wanted")
  /// The empty directories that the source has.
  package static let listedDirectories = ValueName("directories.empty")
  /// The empty directories that a run made.
  package static let madeDirectories = ValueName("directories.made")
  /// How many items a run may remove at once, by the last run's options.
  package static let removalRule = ValueName("rules.removal")
  /// How many seconds removed files are kept, by the last run's options.
  package static let keepingRule = ValueName("rules.kept")
  /// What the filters of the last run were, in lines for people.
  package static let filterRules = ValueName("rules.filters")
  /// The highest ordered revision seen. The caller compares.
  package static let highestRevision = ValueName("revision.highest")
}

extension IndexAccess {
  package func value(_ name: ValueName) throws -> String? {
    try connection.row("SELECT * FROM meta WHERE name = ?1", name.name) { try value(in: $0) }
  }

  /// Reads all values.
  /// - Throws: `.damaged` or `.wrongType` for one that isn't what was stored.
  func checkValues() throws {
    try connection.query("SELECT * FROM meta") { _ = try value(in: $0) }
  }

  private func value(in row: borrowing Row) throws -> String {
    try row.requireChecksum("checksum")
    return try row.text("value")
  }
}

extension IndexWriter {
  /// Stores a value under a name, or with `nil` takes it away.
  package func setValue(_ value: String?, for name: ValueName) throws {
    guard let value else {
      try connection.run("DELETE FROM meta WHERE name = ?1", name.name)
      return
    }
    try connection.run(
      "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)", name.name, value)
  }
}
