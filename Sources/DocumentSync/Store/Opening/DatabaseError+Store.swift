@_exported public import struct SyncDatabase.DatabaseError

extension DatabaseError {
  /// The error as a sentence about a store: what happened, to what, and what to do. Of a damaged
  /// store it says where the edits are that weren't sent.
  public var sentenceOfStore: String {
    switch code {
    case .damaged where isNoDatabase:
      "\(path) is no store, or its beginning is damaged, and was left as it is. Check its name; if"
        + " it was a store, what was edited and not sent yet stands in this file alone: keep it, or"
        + " take it from a backup"
    case .damaged, .wrongType:
      "the store \(path) is damaged (\(message)), and was left as it is. What was edited and not"
        + " sent yet stands in this file alone: keep it, take it from a backup, or save what can"
        + " be read with the .recover of SQLite's shell. What the server has comes into a new"
        + " store with its first sync"
    case .newerVersion, .busy, .withoutLocks, .full, .readOnly, .cannotOpen, .constraint,
      .inputOutput, .statement, .misuse, .other:
      description
    }
  }
}
