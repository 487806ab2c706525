import SyncDatabase

/// What is wrong with the index of a folder.
public enum IndexProblem: Hashable, Sendable {
  /// It is missing or empty, though the folder is a mirror.
  case missing
  /// It contradicts itself, or is no index at all; how that was seen.
  case damaged(reason: String)
  /// A newer version of the mirror wrote it.
  case newerVersion
  /// Another program holds it, and went on holding it.
  case held
  /// Its file system keeps no locks; what the system said.
  case withoutLocks(reason: String)
  /// No space is left for it.
  case full
  /// It couldn't be read or written; what the system said.
  case unreadable(reason: String)
  /// It may not be written, or was written by an earlier version of the mirror and is only to be
  /// read; in the database's own sentence.
  case readOnly(said: String)
  /// It can't be opened or made; in the database's own sentence.
  case unopenable(said: String)
  /// It doesn't say where the folder's items came from, so that none can be fetched again.
  case sourceUnknown
  /// The mirror used it wrongly, or something rarer; in the database's own sentence.
  case failed(said: String)

  /// What happened to the index at `path`, and what to do.
  func sentence(of path: String) -> String {
    switch self {
    case .missing: "\(path) is missing or empty; sync, and it is made anew from the files"
    case .damaged(let reason):
      """
      \(path) is damaged (\(reason)); sync with a look at the files, and it is set aside and \
      rebuilt from them
      """
    case .newerVersion:
      "\(path) was written by a newer version of this program; use that one, nothing was changed"
    case .held: "\(path) is held by another program; end that program, or try again later"
    case .withoutLocks(let reason):
      """
      \(path) can't be locked (\(reason)); mount its file system with locks, or use a folder on \
      another one
      """
    case .full: "no space is left for \(path); free some, then sync again: it goes on from here"
    case .unreadable(let reason):
      """
      \(path) couldn't be read or written (\(reason)); check the disk, then sync again
      """
    case .sourceUnknown: "it doesn't say where its items came from; sync the folder instead"
    case .readOnly(let said):
      "\(said) If an earlier version of this program wrote it, sync once: that brings it up to date"
    case .unopenable(let said), .failed(let said): said
    }
  }

  /// What an error of the database means for the index.
  init(_ error: DatabaseError) {
    switch error.code {
    case .damaged, .wrongType: self = .damaged(reason: error.message)
    case .newerVersion: self = .newerVersion
    case .busy: self = .held
    case .withoutLocks: self = .withoutLocks(reason: error.message)
    case .full: self = .full
    case .inputOutput: self = .unreadable(reason: error.message)
    case .readOnly: self = .readOnly(said: "\(error)")
    case .cannotOpen: self = .unopenable(said: "\(error)")
    case .constraint, .statement, .misuse, .other: self = .failed(said: "\(error)")
    }
  }
}

extension MirrorError {
  init(_ error: DatabaseError) {
    self = .index(path: error.path, IndexProblem(error))
  }
}
