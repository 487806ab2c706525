import SyncEngine
import SyncLock

/// What a run of repair fetches again, from the entries that the index keeps, without asking the
/// catalog.
struct Repairs: Equatable, Sendable {
  /// Items whose content isn't what was fetched.
  var contents: Set<CatalogKey> = []
  /// Items whose preview isn't what was fetched.
  var previews: Set<CatalogKey> = []

  /// Whether there is nothing to repair.
  var isEmpty: Bool { contents.isEmpty && previews.isEmpty }

  var transfers: MirrorOptions.Previews {
    if previews.isEmpty { return .none }
    return contents.isEmpty ? .only : .also
  }

  /// What the index is told first: from then on, what stands there isn't ours, so that it is
  /// displaced and not written over.
  var marks: [IndexChange] {
    contents.sorted().map(IndexChange.contentLost) + previews.sorted().map(IndexChange.previewLost)
  }

  func need(of key: CatalogKey) -> ItemNeed {
    ItemNeed(
      content: contents.contains(key) ? .damaged : nil,
      preview: previews.contains(key) ? .damaged : nil)
  }
}
