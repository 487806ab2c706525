/// Which parts of packs are asked for: for previews and for contents each by itself, since all
/// previews come before the first content.
struct PackPlans: Equatable, Sendable {
  var previews = PackPlan()
  var contents = PackPlan()

  var isEmpty: Bool { previews.isEmpty && contents.isEmpty }
}

/// What comes in packs: of all that is to be had, what is neither here nor begun.
extension MirrorPass {
  /// Those of these items whose contents may come in a pack, and at whose places something may
  /// stand that is theirs already: if so, it is to be looked at first.
  func mayStandWherePacked(_ items: [MirrorItem]) -> [PlaceableEntry] {
    guard !folder.wasEmpty, !packs.isEmpty else { return [] }
    return items.compactMap { item in
      guard let entry = item.entry, entry.listed.pack != nil, need(of: item).content != nil,
        held(item.id)?.content == nil
      else { return nil }
      return entry
    }
  }

  /// The packs of the listing; none of one that came otherwise than by the web, where a request
  /// costs nothing.
  private var packs: ListedPacks { fetched?.listing.packs ?? ListedPacks() }

  /// Plans what of these items comes in packs.
  ///
  /// - Parameters:
  ///   - occupied: At whose places something stands.
  ///   - isBegun: Whether an earlier run left a part of an item.
  func packPlans(
    of items: [MirrorItem], besides occupied: Set<CatalogKey> = [],
    isBegun: (CatalogEntry) -> Bool = { _ in false }
  ) -> PackPlans {
    guard rules.usesPacks, !packs.isEmpty else { return PackPlans() }
    var (previews, contents): ([PackPlan.Wish], [PackPlan.Wish]) = ([], [])
    for (place, item) in items.enumerated() {
      guard let entry = item.entry?.listed else { continue }
      if let wish = contentWish(of: entry, item, at: place), !occupied.contains(entry.key),
        !isBegun(entry)
      {
        contents.append(wish)
      }
      if let wish = previewWish(of: entry, item, at: place) { previews.append(wish) }
    }
    return PackPlans(
      previews: PackPlan(previews, from: packs), contents: PackPlan(contents, from: packs))
  }

  private func contentWish(
    of entry: CatalogEntry, _ item: MirrorItem, at place: Int
  ) -> PackPlan.Wish? {
    guard let packed = entry.pack, let size = entry.size, entry.sha256 != nil,
      entry.checks.isEmpty, let reason = need(of: item).content, reason != .unsettled,
      decided.misplaced[item.id] == nil, mayBeInPlace(item) == nil, fits(size),
      copies(for: item).content == nil
    else { return nil }
    return PackPlan.Wish(packed, size: size, item: place)
  }

  private func previewWish(
    of entry: CatalogEntry, _ item: MirrorItem, at place: Int
  ) -> PackPlan.Wish? {
    guard let preview = entry.preview, let packed = preview.hint.place, let size = preview.size,
      preview.sha256 != nil, need(of: item).preview != nil, fits(size),
      copies(for: item).preview == nil
    else { return nil }
    return PackPlan.Wish(packed, size: size, item: place)
  }
}
