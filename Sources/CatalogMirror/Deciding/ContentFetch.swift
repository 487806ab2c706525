import SyncFolder
import SyncTransport

/// What is to be done to have an item's content: all that its download asks the pass for. By
/// reference, as the download holds it while it waits.
final class ContentFetch: Sendable {
  let entry: PlaceableEntry
  let reason: ItemNeed.Reason
  /// See ``ItemNeed/mayBeOlder``.
  let mayBeOlder: Bool
  let held: IndexedItem?
  /// Whether a file at its place may be the item's already.
  let mayBeThere: Bool
  let fitsDisk: Bool
  let comesLast: Bool

  init(
    entry: PlaceableEntry, reason: ItemNeed.Reason, mayBeOlder: Bool, held: IndexedItem?,
    mayBeThere: Bool, fitsDisk: Bool, comesLast: Bool
  ) {
    (self.entry, self.reason, self.mayBeOlder, self.held) = (entry, reason, mayBeOlder, held)
    (self.mayBeThere, self.fitsDisk, self.comesLast) = (mayBeThere, fitsDisk, comesLast)
  }
}

extension MirrorPass {
  /// What is to be done for an item's content, or why it can't be had; `nil` for nothing.
  func contentStep(of item: MirrorItem) -> Result<ContentFetch, any Error>? {
    let need = need(of: item)
    guard let reason = need.content else { return nil }
    if let problem = decided.misplaced[item.id] { return .failure(problem.error) }
    switch item {
    case .unusable(let unusable): return .failure(unusable)
    case .entry(let entry, _):
      let held = held(item.id)
      return .success(
        ContentFetch(
          entry: entry, reason: reason, mayBeOlder: need.mayBeOlder, held: held,
          mayBeThere: held?.content == nil && !folder.wasEmpty, fitsDisk: fits(entry.size),
          comesLast: last.hold(entry.key)))
    }
  }

  func fits(_ size: Int64?) -> Bool { size ?? 0 <= folder.capacity }
}

extension ItemQuestion {
  /// The question about what the index holds; `nil` where nothing would tell.
  ///
  /// - Parameter mayBeOlder: Whether the catalog says that it may be another state; then a weak tag
  ///   proves nothing, nor does a date without the length.
  init?(of held: IndexedContent, mayBeOlder: Bool) {
    let tag = mayBeOlder ? StrongValidator(etag: held.etag, lastModified: nil)?.text : held.etag
    self.init(
      etag: tag, lastModified: mayBeOlder || tag == nil ? held.lastModified : nil,
      size: held.size, needsLength: mayBeOlder)
  }
}
