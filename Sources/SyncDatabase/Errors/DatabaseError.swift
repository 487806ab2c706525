private import CSyncSQLite
private import SyncSystem

/// What went wrong with a database: which file, which statement, and SQLite's own words.
///
/// The statement's text is kept, the values that were bound to it never are.
public struct DatabaseError: Error, Sendable, Equatable {
  /// What kind of fault it is.
  public var code: Code
  /// SQLite's extended result code (sqlite.org, "Result and Error Codes"); 0 when the fault was
  /// found on this side of it.
  package var sqliteCode: Int32
  /// SQLite's message, or ours.
  package var message: String
  /// The statement, without its values; `nil` when none was involved.
  package var sql: String?
  /// The database file.
  public var path: String

  /// What kind of fault it is.
  public enum Code: Sendable, Hashable {
    /// The file isn't a database, or its content contradicts itself.
    case damaged
    /// The database holds migrations of these names, which this program doesn't know.
    case newerVersion([String])
    /// Another connection holds the database, and went on holding it for the whole busy timeout.
    case busy
    /// The file system keeps no locks.
    case withoutLocks
    /// No space is left.
    case full
    /// The database, or the way it was opened, doesn't allow writing.
    case readOnly
    /// The file can't be opened or made.
    case cannotOpen
    /// A row would break a constraint.
    case constraint
    /// Reading or writing the file failed.
    case inputOutput
    /// A column holds something else than was asked for.
    case wrongType
    /// The statement doesn't fit the database: a syntax error, a missing table or column, or it
    /// does more than it may.
    case statement
    /// This interface, or SQLite's, was used wrongly.
    case misuse
    /// Anything else: no memory, a value that is too large.
    case other
  }

  /// Whether the file doesn't even begin as a database (`SQLITE_NOTADB`).
  package var isNoDatabase: Bool { sqliteCode & 0xFF == SQLITE_NOTADB }

  package init(
    code: Code, sqliteCode: Int32 = 0, message: String, sql: String? = nil, path: String
  ) {
    self.code = code
    self.sqliteCode = sqliteCode
    self.message = message
    self.sql = sql
    self.path = path
  }

  /// The error of a result code other than `SQLITE_OK`, `SQLITE_ROW` and `SQLITE_DONE`.
  init(result: Int32, handle: OpaquePointer?, sql: String? = nil, path: String) {
    let answers = handle.map(systemAnswers) ?? []
    let code = Code(result: result, systemAnswers: answers)
    let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
    let words = text.map { String(cString: $0) } ?? "unknown error"
    // SQLite's words for it are the same whatever happened; the system knows better.
    let reason = answers.dropFirst().last { $0 != 0 }.map { String(cString: strerror($0)) }
    let isOfSystem = [.inputOutput, .withoutLocks].contains(code)
    self.init(
      code: code, sqliteCode: result,
      message: isOfSystem ? reason.map { "\(words): \($0)" } ?? words : words,
      sql: sql, path: path)
  }
}

/// What the system answered last, as far as SQLite tells, and to calls on the database's file and
/// on its log.
///
/// Only the open files keep the answer to a call on them (sqlite.org, `SQLITE_FCNTL_LAST_ERRNO`):
/// SQLite makes other calls before it tells of an error, and of some errors it tells none.
private func systemAnswers(_ handle: OpaquePointer) -> [Int32] {
  var (ofFile, ofLog) = (Int32(0), Int32(0))
  sqlite3_file_control(handle, nil, SQLITE_FCNTL_LAST_ERRNO, &ofFile)
  var log: UnsafeMutablePointer<sqlite3_file>?
  sqlite3_file_control(handle, nil, SQLITE_FCNTL_JOURNAL_POINTER, &log)
  _ = log?.pointee.pMethods?.pointee.xFileControl?(log, SQLITE_FCNTL_LAST_ERRNO, &ofLog)
  return [sqlite3_system_errno(handle), ofFile, ofLog]
}

extension DatabaseError.Code {
  /// What the system answers where there are no locks, rather than that one is held.
  private static let noLocks: Set = [ENOLCK, ENOTSUP, ENOSYS, EINVAL]

  // SQLITE_IOERR_RDLOCK, …_CHECKRESERVEDLOCK and …_LOCK, which Swift doesn't see.
  private static func isOfLock(_ result: Int32) -> Bool {
    [9, 14, 15].contains { result == SQLITE_IOERR | $0 << 8 }
  }

  /// Where a file can't be made or written since the disk is full, SQLite says only that it can't;
  /// where it can't be read since the disk fails, that it is damaged.
  init(result: Int32, systemAnswers answers: [Int32]) {
    let code = Self(result: result)
    switch code {
    case .inputOutput where Self.isOfLock(result) && !Self.noLocks.isDisjoint(with: answers):
      self = .withoutLocks
    case .cannotOpen, .inputOutput:
      self = answers.contains(ENOSPC) || answers.contains(EDQUOT) ? .full : code
    case .damaged: self = answers.contains(EIO) ? .inputOutput : code
    default: self = code
    }
  }

  init(result: Int32) {
    self =
      switch result & 0xff {
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_CANTOPEN, SQLITE_PERM: .cannotOpen
      case SQLITE_CONSTRAINT: .constraint
      case SQLITE_IOERR, SQLITE_NOLFS: .inputOutput
      case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_AUTH: .statement
      case SQLITE_MISUSE, SQLITE_RANGE, SQLITE_MISMATCH: .misuse
      default: .other
      }
  }

  fileprivate var happened: String {
    switch self {
    case .damaged: "is damaged"
    case .newerVersion(let names):
      "was written by a newer version, with \(names.joined(separator: ", "))"
    case .busy: "is held by another program"
    case .withoutLocks: "can't be locked"
    case .full: "has no space left to grow"
    case .readOnly: "can't be written"
    case .cannotOpen: "can't be opened"
    case .constraint: "refused a row"
    case .inputOutput: "couldn't be read or written"
    case .wrongType: "holds a value of another type than expected"
    case .statement: "doesn't understand a statement"
    case .misuse: "was used wrongly"
    case .other: "failed"
    }
  }

  /// Whether it's to be reported to who wrote the program.
  fileprivate var isOfProgram: Bool {
    switch self {
    case .constraint, .statement, .misuse, .other: true
    case .damaged, .newerVersion, .busy, .withoutLocks, .full, .readOnly, .cannotOpen,
      .inputOutput, .wrongType:
      false
    }
  }

  fileprivate var advice: String {
    switch self {
    case .damaged, .wrongType: "Set the file aside and let it be made anew."
    case .newerVersion: "Use that version; the file was left as it is."
    case .busy: "End the other program, or try again later."
    case .withoutLocks: "Mount its file system with locks, or use another one."
    case .full: "Make room on the disk, then try again."
    case .readOnly: "Allow writing to the file and its directory, then try again."
    case .cannotOpen:
      """
      Check that its directory exists, that you may read and write there, and that its file \
      system isn't mounted read-only.
      """
    case .inputOutput: "Check the disk, then try again."
    case .constraint, .statement, .misuse: "This is a fault of the program: please report it."
    case .other: "Try again; if it stays, report it."
    }
  }
}

extension DatabaseError: CustomStringConvertible {
  /// What happened, to what, and what to do next, on one line. SQLite's code and the statement
  /// stand in it only where they are to be reported.
  public var description: String {
    let said = code.isOfProgram ? message + forReport : message
    return "the database \(path) \(code.happened) (\(said)). \(code.advice)"
  }

  private var forReport: String {
    let number = sqliteCode == 0 ? "" : ", SQLite code \(sqliteCode)"
    let statement = sql.map {
      ", in: " + $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return number + (statement ?? "")
  }
}
