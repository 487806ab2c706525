import SyncDatabase
import SyncEngine

extension RecordPass {
  /// Does what had to wait: deletes what isn't named, tries rows again whose needs may be met now,
  /// and tells of those that can't be written.
  ///
  /// - Parameters:
  ///   - rule: How many rows may go.
  func finish(_ rule: RemovalLimit) throws {
    try settleWaiting()
    try requireLimit(rule)
    references.forget()
    try delete()
    try settleWaiting()
    try settleConflicts()
    try settleWaiting()
    // What was settled last may have named the last of its children.
    try requireLimit(rule)
    try delete()
    tellOfWaiting()
    if schema.remembersUnresolved { try settleRemembered() }
    try countRest()
  }

  /// Tries waiting rows again until none gets further.
  func settleWaiting() throws {
    var isMoving = true
    while isMoving, !waiting.isEmpty {
      isMoving = false
      for window in waiting {
        let before = window.waiting.count
        // An object without a key that is in the database can't be found again.
        let places = window.waiting.filter {
          window.draft.rows[$0].key != nil || !window.rows[$0].isNew
        }
        for place in places { window.rows[place].reopen() }
        for place in places { try settle(place, in: window) }
        try takeBackLinksAhead(in: window)
        isMoving = isMoving || window.waiting.count < before
      }
      waiting.removeAll { $0.waiting.isEmpty }
    }
  }

  private func tellOfWaiting() {
    for window in waiting {
      for (row, progress) in zip(window.draft.rows, window.rows) {
        switch progress.wait {
        case nil: break
        case .unresolved(let references): report.leaveUnresolved(references, in: row.table)
        case .refused(let error): report.refuse(row.key, error, in: row.table)
        case .other(let reason): report.refuse(row.key, reason, in: row.table)
        }
      }
    }
  }
}
