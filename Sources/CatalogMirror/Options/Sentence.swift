private import SyncDatabase

/// What an error says to a person: the sentence of our own errors, never a dump of a value.
func sentence(of error: any Error) -> String {
  switch error {
  case let error as DatabaseError: MirrorError.index(error.indexSentence).description
  case is CancellationError: "it was cancelled"
  default: "\(error)"
  }
}

extension DatabaseError {
  /// What a person is told of an error of the index.
  var indexSentence: String {
    switch code {
    case .damaged, .wrongType:
      "\(path) is damaged (\(message)); sync, and it is set aside and rebuilt from the files"
    case .newerVersion:
      "\(path) was written by a newer version of this program; use that one, nothing was changed"
    case .busy: "\(path) is held by another program; end that program, or try again later"
    case .withoutLocks:
      """
      \(path) can't be locked (\(message)); mount its file system with locks, or use a folder on \
      another one
      """
    case .full: "no space is left for \(path); free some, then sync again: it goes on from here"
    case .inputOutput:
      """
      \(path) couldn't be read or written (\(message), SQLite code \(sqliteCode)); check the disk, \
      then sync again
      """
    case .readOnly, .cannotOpen, .constraint, .statement, .misuse, .other: "\(self)"
    }
  }
}
