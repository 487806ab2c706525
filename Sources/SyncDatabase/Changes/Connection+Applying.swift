private import CSyncSQLite

extension Connection {
  /// Makes the changes of a changeset in this file: all of them, but those that the rule leaves
  /// out, when this returns; none when it throws.
  ///
  /// - Each table must still have the columns and the key that it had, else it is an error
  ///   (`.statement`), before anything is written: SQLite itself would leave the table's changes
  ///   out.
  /// - An error that the rule throws is thrown by this.
  /// - Foreign keys are checked at the end; where the changes break some, it is an error
  ///   (`.constraint`). Triggers and the actions of foreign keys run as ever: a change of theirs
  ///   that was recorded as well (``RowChange/isIndirect``) comes as a conflict if it has been made
  ///   already.
  ///
  /// - Parameter rule: What to do with a change that can't be made as it was recorded. To refuse
  ///   the whole changeset, throw. It must not use the connection.
  package func apply(
    _ changeset: Changeset,
    onConflict rule: (borrowing ChangeConflict) throws -> ChangeConflict.Answer
  ) throws {
    try requireUsable(.literal("apply a changeset"))
    try requireFitting(changeset)
    try withoutActuallyEscaping(rule) { rule in
      let application = ChangeApplication(path: path, rule)
      let result = run(application, over: changeset)
      withExtendedLifetime(application) {}
      if let error = application.error { throw error }
      guard result == SQLITE_OK else {
        throw DatabaseError(result: result, handle: handle, path: path)
      }
    }
    try throwFollowerError()
  }

  private func run(_ application: ChangeApplication, over changeset: Changeset) -> Int32 {
    var bytes = changeset.bytes
    return bytes.withUnsafeMutableBytes { buffer in
      sqlite3changeset_apply(
        handle, Int32(clamping: buffer.count), buffer.baseAddress, nil,
        { context, reason, iterator in
          guard let context, let iterator else { return SQLITE_CHANGESET_ABORT }
          return Unmanaged<ChangeApplication>.fromOpaque(context).takeUnretainedValue()
            .answer(reason, iterator)
        }, Unmanaged.passUnretained(application).toOpaque())
    }
  }

  private func requireFitting(_ changeset: Changeset) throws {
    var checked: Set<String> = []
    try changeset.walk { iterator in
      guard let change = RowChange(iterator, path: path), checked.insert(change.table).inserted
      else { return }
      var (keys, count) = (nil as UnsafeMutablePointer<UInt8>?, Int32(0))
      sqlite3changeset_pk(iterator, &keys, &count)
      let recorded = UnsafeBufferPointer(start: keys, count: Int(count)).map { $0 != 0 }
      let found = try rows("SELECT pk > 0 AS is_key FROM pragma_table_info(?1)", change.table) {
        try $0.flag("is_key")
      }
      guard found == recorded else {
        throw DatabaseError(
          code: .statement,
          message: "the table \(change.table) isn't the one whose changes were recorded",
          path: path)
      }
    }
  }
}

/// What SQLite's callback is given: the rule, and where its error goes.
private final class ChangeApplication {
  private let path: String
  private let rule: (borrowing ChangeConflict) throws -> ChangeConflict.Answer
  /// Why the changes are refused.
  private(set) var error: (any Error)?

  init(
    path: String, _ rule: @escaping (borrowing ChangeConflict) throws -> ChangeConflict.Answer
  ) {
    self.path = path
    self.rule = rule
  }

  /// SQLite's number for what to do. No error may pass through SQLite's frames.
  func answer(_ reason: Int32, _ iterator: OpaquePointer) -> Int32 {
    do {
      switch try rule(try conflict(reason, iterator)) {
      case .skip: return SQLITE_CHANGESET_OMIT
      case .replace where reason == SQLITE_CHANGESET_DATA || reason == SQLITE_CHANGESET_CONFLICT:
        return SQLITE_CHANGESET_REPLACE
      case .replace:
        throw DatabaseError(code: .misuse, message: "nothing is there to be replaced", path: path)
      }
    } catch {
      self.error = error
      return SQLITE_CHANGESET_ABORT
    }
  }

  private func conflict(_ number: Int32, _ iterator: OpaquePointer) throws -> ChangeConflict {
    let reason: ChangeConflict.Reason
    switch number {
    case SQLITE_CHANGESET_DATA: reason = .rowChanged
    case SQLITE_CHANGESET_NOTFOUND: reason = .rowMissing
    case SQLITE_CHANGESET_CONFLICT: reason = .rowExists
    case SQLITE_CHANGESET_CONSTRAINT: reason = .constraint
    default:
      throw DatabaseError(
        code: .constraint, message: "the changes leave foreign keys that lead nowhere", path: path)
    }
    guard let change = RowChange(iterator, path: path) else {
      throw DatabaseError(code: .damaged, message: "a changeset makes no sense", path: path)
    }
    return ChangeConflict(reason: reason, change: change)
  }
}
