/// Counts the downloads of a pass over its stages, so that what is done never goes back; an item's
/// preview and its content are two.
struct PassTally: Equatable, Sendable {
  /// Those that have ended. Of a stage that another one follows all have, also those that it left
  /// out.
  private(set) var done = 0
  private var items: Int?
  private var stages: [SyncStage] = []
  /// Those of the stages before the one under way.
  private var before = 0

  /// A pass that doesn't know its downloads.
  init() {}

  /// A pass knows its downloads: so many items in each of these stages.
  init(items: Int, in stages: [SyncStage]) {
    (self.items, self.stages) = (items, stages)
  }

  /// All of the pass; `nil` while they aren't known.
  var total: Int? { items.map { $0 * stages.count } }

  /// The share of the downloads that have ended; 1 where there are none, `nil` while they aren't
  /// known.
  var fraction: Double? { total.map { $0 == 0 ? 1 : Double(done) / Double($0) } }

  /// The pass enters a stage, of whichever kind.
  mutating func enter(_ stage: SyncStage) {
    guard let items, let place = stages.firstIndex(of: stage) else { return }
    before = place * items
    done = max(done, before)
  }

  /// So many items of the download stage under way have ended.
  mutating func take(ended: Int) {
    done = max(done, before + ended)
  }
}
