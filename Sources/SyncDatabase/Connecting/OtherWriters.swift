import SyncLock

/// Notices that others have written to a file: other connections, of this process or another one.
package final class OtherWriters: Sendable {
  /// SQLite's number for the file, which its connection's own commits leave as it is (sqlite.org,
  /// "PRAGMA data_version").
  private let version = Locked<Int64?>(nil)

  package init() {}

  /// Whether another connection than this one, always the same, has written since the last look.
  /// The first look only begins.
  package func haveWritten(lookingBy connection: Connection) throws -> Bool {
    let now = try connection.row("PRAGMA data_version") { try $0.integer("data_version") }
    return version.withLock { last in
      defer { last = now }
      return last != nil && last != now
    }
  }
}
