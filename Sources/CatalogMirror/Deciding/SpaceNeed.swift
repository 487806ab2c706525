import SyncText

/// The room that a run needs at most on the folder's disk, as far as the catalog gives sizes.
///
/// A new file stands beside the old one until it has taken its place; only then is the old one's
/// room free for what comes after. Nothing is assumed that may turn out smaller, so that no run is
/// refused which would have fit: sizes that aren't given count nothing, nor do rounded ones.
struct SpaceNeed: Sendable {
  /// Every file takes whole blocks of this many bytes.
  static let block: Int64 = 4_096
  /// For the index and directories.
  static let margin: Int64 = 1 << 20

  /// What is larger than the whole disk is left out: it fails by itself.
  let capacity: Int64
  private var used: Int64 = 0
  private var peak: Int64 = 0

  /// Bytes that have to be free; 0 when nothing is known to be fetched.
  var bytes: Int64 { peak == 0 ? 0 : peak.addingSaturated(Self.margin) }

  init(capacity: Int64 = .max) {
    self.capacity = capacity
  }

  /// A file is fetched, and takes the place of one of `old` bytes, if there is one.
  mutating func add(_ size: Int64?, replacing old: Int64?) {
    guard let size, size <= capacity else { return }
    used = used.addingSaturated(Self.blocks(size))
    peak = max(peak, used)
    if let old { used -= Self.blocks(old) }
  }

  private static func blocks(_ size: Int64) -> Int64 {
    let rounded = max(size, 0).addingSaturated(block - 1)
    return rounded - rounded % block
  }
}

extension MirrorPass {
  /// The room that these items take at most, beside other needs, without the contents of `others`.
  func spaceNeed(
    of items: [MirrorItem], besides others: Set<CatalogKey> = [], on disk: SpaceNeed
  ) -> SpaceNeed {
    var space = disk
    // Lazily: of a million items, that would be a quarter of a gigabyte.
    let wanted = items.lazy.compactMap { item -> (PlaceableEntry, ItemNeed, IndexedItem?)? in
      item.entry.map { ($0, need(of: item), view.held(item.id)) }
    }
    for (entry, need, held) in wanted where need.preview != nil {
      space.add(entry.preview?.size, replacing: held?.preview?.size)
    }
    // One that is only asked about is rarely fetched.
    for (entry, need, held) in wanted
    where need.content != nil && need.content != .unsettled && !others.contains(entry.key) {
      space.add(entry.size, replacing: held?.content?.size)
    }
    return space
  }

  /// How many transfers these items take, and of how many bytes as far as they are known.
  func extent(of items: [MirrorItem]) -> (transfers: Int, bytes: Int64) {
    var (transfers, bytes) = (0, Int64(0))
    for item in items {
      let need = need(of: item)
      if need.content != nil {
        transfers += 1
        bytes = bytes.addingSaturated(item.entry.flatMap { $0.size ?? $0.estimatedSize } ?? 0)
      }
      if need.preview != nil {
        transfers += 1
        bytes = bytes.addingSaturated(item.entry?.preview?.size ?? 0)
      }
    }
    return (transfers, bytes)
  }
}
