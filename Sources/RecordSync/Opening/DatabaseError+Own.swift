@_exported public import struct SyncDatabase.DatabaseError

extension DatabaseError {
  /// The error as a sentence about a database of the user's own: what happened, to what, and what
  /// to do, which is never to make it anew.
  public var sentenceOfOwnDatabase: String {
    let advice = isNoDatabase ? "Check its name." : code.adviceForOwn
    guard let advice else { return description }
    return "\(happenedToOwn). \(advice)"
  }

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
    case .cannotOpen:
      """
      Check its name, that you may read and write it and its directory, and that its file system \
      isn't mounted read-only.
      """
    case .full: "Make room, then try again."
    case .withoutLocks: "Move it to a file system with locks."
    case .inputOutput: "Check the disk, then try again."
    case .constraint: "Mend the payload, or the rows that are there."
    case .statement: "Check its triggers, views and indexes, and what they name."
    case .newerVersion, .wrongType, .misuse, .other: nil
    }
  }
}
