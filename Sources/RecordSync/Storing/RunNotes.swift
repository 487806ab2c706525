/// What a run notes besides its report, for who goes through its rows one by one. By the rows' keys
/// as the table tells them apart.
final class RunNotes {
  /// Rows that the payload names, at its top level, in its order; each once.
  private(set) var named: [RecordKey] = []
  private var isNamed: Set<RecordKey> = []
  /// Rows in scope that were there.
  var held: [RecordKey] = []
  /// Rows that the payload names, and that stay as they are all the same.
  let leftOut: Set<RecordKey>

  init(leavingOut leftOut: Set<RecordKey> = []) {
    self.leftOut = leftOut
  }

  /// Forgets what was noted: the payload is read once more.
  func begin() { (named, isNamed, held) = ([], [], []) }

  func name(_ key: RecordKey) {
    if isNamed.insert(key).inserted { named.append(key) }
  }
}

/// Tells of a run's progress.
final class ProgressTeller {
  private let onProgress: (@Sendable (RecordProgress) -> Void)?
  private var progress = RecordProgress(stage: .rows)

  init(_ onProgress: (@Sendable (RecordProgress) -> Void)?) {
    self.onProgress = onProgress
  }

  func enter(_ stage: RecordProgress.Stage) {
    progress.stage = stage
    onProgress?(progress)
  }

  /// So many more rows are done.
  func tell(of rows: Int) {
    guard rows > 0 else { return }
    progress.rows += rows
    onProgress?(progress)
  }
}
