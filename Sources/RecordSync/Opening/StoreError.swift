@_exported public import struct SyncDatabase.DatabaseError
private import SyncText

/// Why a store can't be opened, or not do what it was asked for.
public enum StoreError: Error, Sendable, Equatable {
  /// A migration failed, for SQLite's reason; the database is as it was before it.
  case migrationFailed(name: String, reason: String)
  /// A migration left references to rows that aren't there: so many more than before it. The
  /// database is as it was before it.
  case migrationBreaksReferences(name: String, count: Int)
  /// Two migrations have this name.
  case migrationsOfOneName(String)
  /// The database has seen these migrations, which this program doesn't know.
  case newerDatabase(migrations: [String])
  /// The database that ships with an app can't be copied.
  case shippedCopy(of: String, CopyFault)
  /// The database would have to be copied, and is larger than allowed.
  case tooLargeToCopy(bytes: Int64, limit: Int64)
  /// The copy of the database can't be kept: the system's, or SQLite's, words.
  case noRoomForCopy(String)
  /// The database can't be read where it is, since SQLite can make no file beside it, and somebody
  /// writes to it.
  case changing(String)

  /// Why a file isn't copied.
  public enum CopyFault: Sendable, Equatable {
    /// It can't be read, or the copy not be written: the system's words.
    case failed(String)
    /// It is no SQLite database.
    case noDatabase
    /// A journal or a log with content stands beside it: whoever wrote it didn't close it.
    case notClosed(String)
    /// A journal or a log with content stands where the copy's would, of a database that isn't
    /// there any more: SQLite would take it for the copy's.
    case strayLog(String)
  }
}

extension StoreError: CustomStringConvertible {
  /// What happened, to what, and what to do.
  public var description: String {
    switch self {
    case .migrationFailed(let name, let reason):
      "The migration \(name.quoted) failed (\(reason.shown)), and the database is as it was before "
        + "it. Mend the migration, or the rows that it can't take."
    case .migrationBreaksReferences(let name, let count):
      "The migration \(name.quoted) would have left \(count) more references to rows that aren't "
        + "there, and the database is as it was before it. Mend the migration."
    case .migrationsOfOneName(let name):
      "Two migrations are named \(name.quoted), and nothing was done. Give each a name of its own."
    case .newerDatabase(let names):
      "The database has seen migrations that this program doesn't know ("
        + "\(names.map(\.quoted).joined(separator: ", "))): another one, or a newer version of "
        + "this one, wrote it. It was left as it is. Use the program that wrote it."
    case .shippedCopy(let path, let fault): fault.sentence(of: path)
    case .tooLargeToCopy(let bytes, let limit):
      "The database would have to be copied for this, and it is larger than may be copied: "
        + "\(bytes) bytes, \(limit) are allowed. Do it on a copy that can be written, or allow "
        + "more."
    case .noRoomForCopy(let reason):
      "The database would have to be copied for this, and the copy can't be kept "
        + "(\(reason.shown)). Make room where temporary files go, or do it on a copy that can be "
        + "written."
    case .changing(let path):
      "The database \(path.quoted) can't be read, since nothing can be made beside it and somebody "
        + "else writes to it. Try again later, or allow writing to its directory."
    }
  }
}

extension StoreError.CopyFault {
  fileprivate func sentence(of path: String) -> String {
    switch self {
    case .failed(let reason):
      "The database \(path.quoted) can't be copied (\(reason.shown)), and nothing was made. Check "
        + "that it is there, and that the copy can be written."
    case .noDatabase:
      "\(path.quoted) can't be copied as a database, since it is none, and nothing was made. Check "
        + "its name."
    case .notClosed(let log):
      "The database \(path.quoted) can't be copied, since \(log.quoted) stands beside it: it isn't "
        + "whole without that. Close it where it was written, and ship it then."
    case .strayLog(let log):
      "The database \(path.quoted) can't be copied, since \(log.quoted) is left of one that isn't "
        + "there any more, and would be taken for a part of the copy. Remove it."
    }
  }
}

extension DatabaseError {
  /// The error as a sentence about a database of the user's own: what happened, to what, and what
  /// to do, which is never to make it anew.
  public var sentenceOfOwnDatabase: String {
    let advice = isNoDatabase ? "Check its name." : code.adviceForOwn
    guard let advice else { return description }
    return "\(happenedToOwn). \(advice)"
  }

  /// Whether the file doesn't even begin as one (`SQLITE_NOTADB`).
  private var isNoDatabase: Bool { sqliteCode & 0xFF == 26 }

  private var happenedToOwn: String {
    let (name, words) = (path.quoted, message.shown)
    return switch code {
    case .damaged where isNoDatabase: "\(name) is no SQLite database, or it is encrypted"
    case .damaged: "The database \(name) is damaged (\(words)), and nothing was written"
    case .busy: "Another program holds the database \(name)"
    case .readOnly: "The database \(name) can't be written (\(words))"
    case .cannotOpen: "The database \(name) can't be opened (\(words))"
    case .full: "The disk of the database \(name) is full, and nothing was written"
    case .withoutLocks: "The database \(name) can't be locked (\(words))"
    case .inputOutput: "The database \(name) couldn't be read or written (\(words))"
    case .constraint:
      "The database \(name) refused it as a whole (\(words)), and nothing was written"
    case .statement: "The database \(name) can't do it (\(words)), and nothing was written"
    case .newerVersion, .wrongType, .misuse, .other: description
    }
  }
}

extension DatabaseError.Code {
  /// What to do; `nil` where it is the same as with a database of ours.
  fileprivate var adviceForOwn: String? {
    switch self {
    case .damaged:
      "Take a copy from a backup, or save what can be read with the .recover of SQLite's shell."
    case .busy: "End it, or try again later."
    case .readOnly: "Allow writing to the file and its directory."
    case .cannotOpen: "Check its name, and that you may read and write it and its directory."
    case .full: "Make room, then try again."
    case .withoutLocks: "Move it to a file system with locks."
    case .inputOutput: "Check the disk, then try again."
    case .constraint: "Mend the payload, or the rows that are there."
    case .statement: "Check its triggers, views and indexes, and what they name."
    case .newerVersion, .wrongType, .misuse, .other: nil
    }
  }
}
