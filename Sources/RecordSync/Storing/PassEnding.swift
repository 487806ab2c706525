import SyncDatabase
import SyncEngine

/// Ends a pass: does what needs rows that come later or values that others still hold, and deletes
/// what isn't named.
final class PassEnding {
  let finder: RowFinder
  let notes: PassNotes
  let linker: RowLinker
  private let deleter: RowDeleter
  private let remembered: RememberedReferences?
  private let task: PassTask
  /// How many rows hold values for a moment that nobody has.
  var parked = 0

  init(_ linker: RowLinker, _ remembered: RememberedReferences?, _ task: PassTask) {
    self.linker = linker
    self.remembered = remembered
    self.task = task
    (finder, notes) = (linker.finder, linker.notes)
    deleter = RowDeleter(finder, notes)
  }

  /// What a window says has the last word over what still waits of earlier ones.
  func giveWay(to window: WindowRows) {
    for earlier in notes.waiting {
      notes.noteKeys(of: earlier, in: window.draft)
      notes.noteLinks(of: earlier, in: window)
      earlier.giveWay(to: window.draft)
    }
  }

  /// Does what had to wait: deletes what isn't named, tries rows again whose needs may be met now,
  /// and tells of those that can't be written.
  ///
  /// - Parameter rule: How many rows may go.
  func finish(_ rule: RemovalLimit) throws {
    try settleWaiting()
    try deleter.requireLimit(rule)
    finder.references.forget()
    try deleter.delete(mergingTwinsOf: mayDeleteTwins)
    try settleWaiting()
    try settleConflicts()
    try settleWaiting()
    // What was settled last may have named the last of its children.
    try deleter.requireLimit(rule)
    try deleter.delete(mergingTwinsOf: mayDeleteTwins)
    tellOfWaiting()
    try remembered?.settle()
    try notes.countRest()
  }

  /// Tries notes.waiting rows again until none gets further.
  private func settleWaiting() throws {
    var isMoving = true
    while isMoving, !notes.waiting.isEmpty {
      isMoving = false
      for window in notes.waiting {
        let before = window.waiting.count
        // An object without a key that is in the database can't be found again.
        let places = window.waiting.filter {
          window.draft.rows[$0].key != nil || !window.rows[$0].isNew
        }
        for place in places { window.rows[place].reopen() }
        for place in places { try linker.settle(place, in: window) }
        try linker.takeBackLinksAhead(in: window)
        isMoving = isMoving || window.waiting.count < before
      }
      notes.waiting.removeAll { $0.waiting.isEmpty }
    }
  }

  /// Rows that share a key are made one only where rows of the table may be deleted at all, and
  /// never where the payload speaks of some of its rows only.
  private func mayDeleteTwins(of table: Int) -> Bool {
    table == task.table
      ? linker.operations.contains(.delete) && !task.isScoped
      : linker.operations.contains(.deleteRelations)
  }

  private func tellOfWaiting() {
    for window in notes.waiting {
      for (row, progress) in zip(window.draft.rows, window.rows) {
        switch progress.wait {
        case nil: break
        case .unresolved(let references): notes.report.leaveUnresolved(references, in: row.table)
        case .refused(let error): notes.report.refuse(row.key, error, in: row.table)
        case .other(let reason): notes.report.refuse(row.key, reason, in: row.table)
        }
      }
    }
  }
}
