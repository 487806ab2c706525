/// Counts the downloads of a run over its stages and passes, so that what is done never goes back;
/// an item's preview and its content are two.
package struct RunTally: Equatable, Sendable {
  /// Those that have ended. Of a stage that is over all have, also those that it left out.
  package private(set) var done = 0
  /// Those that are known of; `nil` until a pass knows its downloads.
  package private(set) var total: Int?
  /// Those of earlier passes, and those of these and the earlier stages of the pass under way.
  private var beforePass = 0
  private var beforeStage = 0
  private var items = 0
  private var stages: [SyncStage] = []

  /// A pass knows its downloads: so many items in each of these stages.
  mutating func expect(items: Int, in stages: [SyncStage]) {
    beforePass = total ?? 0
    beforeStage = beforePass
    done = beforePass
    total = beforePass + items * stages.count
    (self.items, self.stages) = (items, stages)
  }

  /// The pass enters a stage, of whichever kind.
  mutating func enter(_ stage: SyncStage) {
    guard let place = stages.firstIndex(of: stage) else { return }
    beforeStage = beforePass + place * items
    done = max(done, beforeStage)
  }

  /// An item of a stage has begun, moved or ended.
  mutating func take(_ totals: ItemTotals, of stage: SyncStage) {
    guard stages.contains(stage) else { return }
    done = max(done, beforeStage + totals.ended)
  }
}
