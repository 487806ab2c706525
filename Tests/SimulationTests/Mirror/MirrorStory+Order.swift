import SyncLock

@testable import CatalogMirror

/// What comes last is there only if everything else is.
extension MirrorStory {
  /// What a run is to place last, and what was there before it.
  struct Order: Sendable {
    var patterns: [KeyPattern]
    var before: [String: [UInt8]]
  }

  /// A run begins.
  func expectOrder(of plan: RunPlan) {
    let next = plan.keepsOrder ? Order(patterns: plan.patternsOfLast, before: files()) : nil
    order.withLock { $0 = next }
  }

  /// Where a file that comes last has been placed in this run, all others are as published.
  func checkOrder() {
    guard let order = order.withLock({ $0 }) else { return }
    let (files, items) = (files(), web.state.withLock { $0.publication.list })
    let last = items.filter { order.patterns.fit(CatalogKey($0.key)) }
    let placed = last.first { files[$0.key] == $0.bytes && order.before[$0.key] != $0.bytes }
    guard let placed else { return }
    for item in items where !order.patterns.fit(CatalogKey(item.key)) {
      world.expect(files[item.key] == item.bytes, "\(placed.key) is there, and \(item.key) isn't")
    }
  }
}
