/// What a database file says of itself in its first bytes (sqlite.org, "Database File Format").
struct DatabaseHeader: Equatable {
  /// How many bytes are looked at.
  static let length = 48

  /// Whether the file begins as a database does.
  let isDatabase: Bool
  /// Whether it needs an SQLite that is newer than those that there are.
  let isNewer: Bool

  init(_ bytes: [UInt8]) {
    isDatabase = bytes.starts(with: Array("SQLite format 3\0".utf8))
    guard isDatabase, bytes.count >= Self.length else {
      isNewer = false
      return
    }
    let schemaFormat = bytes[44..<48].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    // The versions for writing and for reading: 1 with a journal, 2 with a log.
    isNewer = bytes[18] > 2 || bytes[19] > 2 || schemaFormat > 4
  }
}
