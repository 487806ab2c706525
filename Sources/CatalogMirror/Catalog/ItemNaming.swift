import SyncText

/// An item of a feed among the entries of its page.
package struct NamedItem: Hashable, Sendable {
  /// Its name, as its identifier gives it: what the keys of its files begin with.
  var name: String
  /// Where its first file is: tells it from another item of the same identifier.
  var address: String
  /// Its files among the entries of the page.
  var entries: Range<Int>

  /// What the item is called where the name is another one's.
  var ownName: String { name + "~" + SHA256Digest(of: address.utf8).description.prefix(8) }
}

extension CatalogPage {
  /// The keys of first files, whose addresses in the index decide what items are called.
  var decidingKeys: [CatalogKey] {
    let counts = nameCounts
    return items.flatMap { item -> [CatalogKey] in
      let own = key(item.entries.lowerBound, of: item, as: item.ownName)
      guard counts[item.name, default: 0] > 1 else { return [own] }
      return [own, key(item.entries.lowerBound, of: item, as: item.name)]
    }
  }

  /// Gives each item of a feed keys of its own, the same in every run, however many have its
  /// identifier and in whichever order: the one keeps the name that is held for its address, and
  /// any other has a part of its address' digest behind. The same item counts once.
  ///
  /// - Parameter held: The addresses that the index has for ``decidingKeys``.
  mutating func nameItems(held: [CatalogKey: String]) {
    let counts = nameCounts
    guard !held.isEmpty || counts.contains(where: { $0.value > 1 }) else { return }
    var taken = Set(items.filter { isHeld($0, held) }.map(\.name))
    var seen: Set<String> = []
    var repeated: Set<Int> = []
    for item in items {
      guard seen.insert(item.ownName).inserted else {
        repeated.formUnion(item.entries)
        continue
      }
      let first = item.entries.lowerBound
      if isHeld(item, held) { continue }
      let isAlone = counts[item.name] == 1
      let hasOwn = held[key(first, of: item, as: item.ownName)] != nil
      let isFree = held[key(first, of: item, as: item.name)] == nil && !taken.contains(item.name)
      if !hasOwn, isAlone || isFree {
        taken.insert(item.name)
      } else {
        for place in item.entries { rename(place, of: item) }
      }
    }
    guard !repeated.isEmpty else { return }
    entries = entries.indices.filter { !repeated.contains($0) }.map { entries[$0] }
  }

  private var nameCounts: [String: Int] {
    items.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
  }

  private func isHeld(_ item: NamedItem, _ held: [CatalogKey: String]) -> Bool {
    held[key(item.entries.lowerBound, of: item, as: item.name)] == item.address
  }

  private func key(_ place: Int, of item: NamedItem, as name: String) -> CatalogKey {
    let written = entries[place].key?.bytes ?? []
    return CatalogKey(bytes: Array(name.utf8) + written.dropFirst(item.name.utf8.count))
  }

  private mutating func rename(_ place: Int, of item: NamedItem) {
    let key = key(place, of: item, as: item.ownName)
    switch entries[place] {
    case .entry(var entry, let isSettled):
      entry.key = key
      entries[place] = .entry(entry, settled: isSettled)
    case .unusable(var unusable):
      unusable.key = key
      entries[place] = .unusable(unusable)
    }
  }
}
