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
  /// What is held, where its digest is the one that the catalog gives by now, having given less
  /// before; `nil` where it isn't.
  let mayBeInPlace: IndexedContent?
  let fitsDisk: Bool
  /// Where its bytes lie already; `nil` where they don't.
  let heldBytes: HeldBytes?
  let comesLast: Bool

  init(
    entry: PlaceableEntry, reason: ItemNeed.Reason, mayBeOlder: Bool, held: IndexedItem?,
    mayBeThere: Bool, mayBeInPlace: IndexedContent?, fitsDisk: Bool, heldBytes: HeldBytes?,
    comesLast: Bool
  ) {
    (self.entry, self.reason, self.mayBeOlder, self.held) = (entry, reason, mayBeOlder, held)
    (self.mayBeThere, self.mayBeInPlace) = (mayBeThere, mayBeInPlace)
    self.fitsDisk = fitsDisk
    (self.heldBytes, self.comesLast) = (heldBytes, comesLast)
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
          mayBeThere: held?.content == nil && !folder.wasEmpty,
          mayBeInPlace: mayBeInPlace(item), fitsDisk: fits(entry.size),
          heldBytes: copies(for: item).content, comesLast: last.hold(entry.key)))
    }
  }

  /// See ``ContentFetch/mayBeInPlace``.
  func mayBeInPlace(_ item: MirrorItem) -> IndexedContent? {
    guard need(of: item).content == .changed, let sha256 = item.entry?.sha256,
      let content = held(item.id)?.content, content.sha256 == sha256
    else { return nil }
    return content
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
