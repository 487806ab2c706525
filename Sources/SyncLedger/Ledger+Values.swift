private import SyncDatabase

/// The name of a value that a processor keeps once.
package struct ValueName: Hashable, Sendable {
  /// The name as it is stored; never changed once released.
  package let name: String

  /// A name of the caller's own.
  package init(_ name: String) {
    self.name = name
  }

  /// Where it is kept how far a source was read.
  fileprivate init(checkpointOf source: String) {
    name = "checkpoint of " + source
  }
}

extension LedgerReading {
  package func value(_ name: ValueName) throws -> String? {
    try connection.row("SELECT * FROM meta WHERE name = ?1", name.name) { try value(in: $0) }
  }

  /// How far a source was read, in the source's own words; `nil` to read it from its beginning.
  ///
  /// - Parameter source: What tells the source from others; bytes count.
  package func checkpoint(of source: String) throws -> String? {
    try value(ValueName(checkpointOf: source))
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

extension LedgerWriting {
  /// Stores a value under a name, or with `nil` takes it away.
  package func setValue(_ value: String?, for name: ValueName) throws {
    guard let value else {
      try connection.run("DELETE FROM meta WHERE name = ?1", name.name)
      return
    }
    try connection.run(
      "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)", name.name, value)
  }

  /// Says how far a source was read, or with `nil` that it is to be read from its beginning. Record
  /// it in the transaction that records what was read.
  package func setCheckpoint(_ checkpoint: String?, of source: String) throws {
    try setValue(checkpoint, for: ValueName(checkpointOf: source))
  }
}
