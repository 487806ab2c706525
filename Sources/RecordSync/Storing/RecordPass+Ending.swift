import OneWaySynchronizer
import SyncDatabase

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
    tellOfWaiting()
    try countRest()
    // Nothing of a pass stays on the connection.
    try search.end()
  }

  /// Tries waiting rows again until none gets further.
  func settleWaiting() throws {
    var isMoving = true
    while isMoving, !waiting.isEmpty {
      isMoving = false
      for window in waiting {
        let before = window.waiting.count
        for place in window.waiting.keys.sorted() { window.states[place] = .open }
        for place in window.waiting.keys.sorted() { try settle(place, in: window) }
        try takeBackLinksAhead(in: window)
        isMoving = isMoving || window.waiting.count < before
      }
      waiting.removeAll { $0.waiting.isEmpty }
    }
  }

  private func tellOfWaiting() {
    for window in waiting {
      for (place, wait) in window.waiting.sorted(by: { $0.key < $1.key }) {
        let row = window.draft.rows[place]
        switch wait {
        case .unresolved(let references): report.leaveUnresolved(references, in: row.table)
        case .refused(let error): report.refuse(row.key, error, in: row.table)
        case .other(let reason): report.refuse(row.key, reason, in: row.table)
        }
      }
    }
  }
}
