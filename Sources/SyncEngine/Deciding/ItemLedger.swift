/// Remembers how every item of the downloads fared, one byte an item.
struct ItemLedger: Equatable {
  /// How an item stands.
  private enum Mark: UInt8 {
    case open
    case done
    case failed
  }

  private var marks: [UInt8]

  /// A ledger in which every item is open.
  init(count: Int) {
    marks = Array(repeating: Mark.open.rawValue, count: count)
  }

  /// A transfer of the item failed: whatever else succeeds, the item has failed.
  mutating func fail(_ place: Int) {
    marks[place] = Mark.failed.rawValue
  }

  /// The item's last transfer succeeded.
  mutating func finish(_ place: Int) {
    if marks[place] == Mark.open.rawValue { marks[place] = Mark.done.rawValue }
  }

  /// The item wasn't downloaded after all, for a reason that is not its own.
  mutating func reopen(_ place: Int) {
    marks[place] = Mark.open.rawValue
  }

  /// Whether the item was downloaded.
  func isDone(_ place: Int) -> Bool { marks[place] == Mark.done.rawValue }

  /// Whether the item has failed.
  func isFailed(_ place: Int) -> Bool { marks[place] == Mark.failed.rawValue }

  /// Whether every item was downloaded.
  var isAllDone: Bool { marks.allSatisfy { $0 == Mark.done.rawValue } }

  /// What was finished can't be relied on: its commit failed.
  mutating func failWhatIsDone() {
    for place in marks.indices where isDone(place) { fail(place) }
  }

  /// As ``failWhatIsDone()``, for a reason that is told elsewhere.
  mutating func reopenWhatIsDone() {
    for place in marks.indices where isDone(place) { reopen(place) }
  }

  /// Fills in how many items were downloaded, skipped and failed.
  func count(into counts: inout PassCounts) {
    for mark in marks {
      switch Mark(rawValue: mark) {
      case .done: counts.downloaded += 1
      case .failed: counts.failed += 1
      case .open, nil: counts.skipped += 1
      }
    }
  }
}
