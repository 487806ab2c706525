private import CSyncSQLite

extension Connection {
  /// Runs `body`, in which no statement is compiled that does more than read rows: it fails with
  /// ``DatabaseError/Code/statement``. What was compiled before isn't looked at again.
  ///
  /// What a statement would do is asked while it is compiled (sqlite.org, "Compile-Time
  /// Authorization Callbacks"). A pragma that stands as a table in it may do anything, and is
  /// refused as well.
  ///
  /// - Parameter views: what it may read, besides SQLite's tables of JSON; by default all.
  package func onlyReading<Result>(
    _ views: AllowedViews? = nil, _ body: () throws -> Result
  ) throws -> Result {
    try withExtendedLifetime(views) {
      sqlite3_set_authorizer(
        handle,
        { views, action, first, second, _, view in
          if action == SQLITE_READ, let views {
            let views = Unmanaged<AllowedViews>.fromOpaque(views).takeUnretainedValue()
            guard views.allow(first, within: view) else { return SQLITE_DENY }
          }
          return mayDo(action, first, second)
        }, views.map { Unmanaged.passUnretained($0).toOpaque() })
      defer { sqlite3_set_authorizer(handle, nil, nil) }
      return try body()
    }
  }
}

/// The only views that a statement may read, and nothing past them.
package final class AllowedViews: Sendable {
  private let named: [String]
  private let inner: [String]

  /// - Parameters:
  ///   - named: what a statement may name.
  ///   - inner: the views that these are made of: they alone read tables. A statement of others
  ///     must not have these names in its text, see ``isPast(_:)``.
  package init(named: [String], over inner: [String]) {
    self.named = named + ["json_each", "json_tree"]
    self.inner = inner
  }

  /// Whether a statement has the name of an inner view in it, by which it would read tables.
  package func isPast(_ statement: String) -> Bool {
    let bytes = statement.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    let text = String(decoding: bytes, as: UTF8.self)
    return inner.contains { text.contains($0) }
  }

  fileprivate func allow(_ name: Name?, within view: Name?) -> Bool {
    func isAny(_ one: Name?, of names: [String]) -> Bool {
      names.contains { isEqual(one, $0, Int32($0.utf8.count) + 1) }
    }
    return isAny(view, of: inner) || isAny(name, of: named + inner)
  }
}

private typealias Name = UnsafePointer<CChar>

/// The authorizer's answer for an action, by what it is done to and with.
private func mayDo(_ action: Int32, _ first: Name?, _ second: Name?) -> Int32 {
  switch action {
  case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE: SQLITE_OK
  case SQLITE_READ: isEqual(first, "pragma_", 7) ? SQLITE_DENY : SQLITE_OK
  // What a virtual table does that is first met; SQLite itself protects the schema.
  case SQLITE_UPDATE where isEqual(first, "sqlite_master", 14): SQLITE_OK
  // An index for searching asks for these by itself.
  case SQLITE_PRAGMA where second == nil && isEqual(first, "data_version", 13): SQLITE_OK
  case SQLITE_PRAGMA where second == nil && isEqual(first, "page_size", 10): SQLITE_OK
  default: SQLITE_DENY
  }
}

/// Whether so many bytes are equal, whatever their case; one more than a name has is its end.
private func isEqual(_ name: Name?, _ other: String, _ count: Int32) -> Bool {
  name.map { sqlite3_strnicmp($0, other, count) == 0 } ?? false
}
