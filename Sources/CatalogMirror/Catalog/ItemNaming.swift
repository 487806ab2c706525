import SyncText

/// An item of a feed among the entries of its page.
package struct NamedItem: Hashable, Sendable {
  /// Its name, as its identifier gives it: what the keys of its files begin with.
  var name: String
  /// Where its first file is: tells it from another item of the same identifier. Without its query,
  /// which may be a token of the moment, unless only that tells it from another item of its page.
  var address: String
  /// Whether its address stands for an identifier that it hasn't.
  var isNamedByAddress: Bool
  /// What it is called where its query tells it from others; `nil` where it does so anyway, or
  /// where there is none.
  var nameByQuery: String?
  var entries: Range<Int>
  var identifier: String?
  var title: String?
  /// When it was published, in seconds since 1970.
  var date: Double?
  /// What tells it from others where a ``KeyTemplate`` named it; `nil` elsewhere.
  var identity: ItemIdentity?

  /// What the item is called where the name is another one's.
  var ownName: String {
    name + "~" + SHA256Digest(of: (identity?.lasting ?? address).utf8).description.prefix(8)
  }

  /// The item as it is known without its query. Where the path alone is no file's, as of
  /// `get?id=2`, the query may say which one it is: then it stays.
  fileprivate var withoutQuery: NamedItem {
    guard !MediaExtension.of(type: nil, url: address).isEmpty else { return self }
    var item = self
    item.address = Self.withoutQuery(address)
    guard item.address != address else { return self }
    item.nameByQuery = isNamedByAddress ? name : ownName
    if isNamedByAddress { item.name = ItemName.of(item.address) }
    return item
  }

  fileprivate func isAt(_ other: String?) -> Bool {
    other == address || other.map(Self.withoutQuery) == address
  }

  private static func withoutQuery(_ address: String) -> String {
    URLReference(address)?.withoutQuery.text ?? address
  }
}

extension CatalogPage {
  /// Has items known by their addresses without the queries, which some servers make anew for each
  /// answer, but for those that nothing else tells from others of the page.
  mutating func dropQueries() {
    let short = items.map(\.withoutQuery)
    var addresses: [[String]: Set<String>] = [:]
    for (item, short) in zip(items, short) {
      addresses[[short.name, short.address], default: []].insert(item.address)
    }
    for (place, short) in short.enumerated()
    where addresses[[short.name, short.address]]?.count == 1 {
      let item = items[place]
      for entry in item.entries { rename(entry, of: item, to: short.name) }
      items[place] = short
    }
  }

  /// The keys of which the index' entries decide what items are called: of first files, and where
  /// a template names them, of all.
  var decidingKeys: [CatalogKey] {
    let counts = nameCounts
    return items.flatMap { item -> [CatalogKey] in
      guard item.identity == nil else {
        return [item.name, item.ownName].flatMap { keys(of: item, as: $0) }
      }
      let isAlone = counts[item.name] == 1
      return [item.ownName, item.nameByQuery, isAlone ? nil : item.name].compactMap { name in
        name.map { key(item.entries.lowerBound, of: item, as: $0) }
      }
    }
  }

  /// Gives each item of a feed keys of its own, the same in every run, however many have its
  /// identifier and in whichever order: the one keeps the name that is held for its address, and
  /// any other has a part of its address' digest behind. One that is held by a name that its query
  /// gave it keeps that. The same item counts once, as it was changed last.
  ///
  /// - Parameters:
  ///   - held: The addresses that the index has for ``decidingKeys``.
  ///   - identities: What it keeps of them where a template named them (``ItemIdentity/text``).
  mutating func nameItems(
    held: [CatalogKey: String], identities: [CatalogKey: String] = [:]
  ) {
    let counts = nameCounts
    guard !held.isEmpty || counts.contains(where: { $0.value > 1 }) else { return }
    var taken = Set(items.filter { isHeld($0, held, identities) }.map(\.name))
    let latest = latestItems
    var repeated: Set<Int> = []
    for (place, item) in items.enumerated() {
      guard latest[item.ownName] == place else {
        repeated.formUnion(item.entries)
        continue
      }
      let first = item.entries.lowerBound
      if let name = item.nameByQuery, held[key(first, of: item, as: name)] != nil {
        for place in item.entries { rename(place, of: item, to: name) }
        continue
      }
      if isHeld(item, held, identities) { continue }
      let hasOwn = held[key(first, of: item, as: item.ownName)] != nil
      let isFree =
        !taken.contains(item.name) && deciding(item).allSatisfy { held[$0] == nil }
      if !hasOwn, isFree {
        taken.insert(item.name)
      } else {
        for place in item.entries { rename(place, of: item, to: item.ownName) }
      }
    }
    guard !repeated.isEmpty else { return }
    entries = entries.indices.filter { !repeated.contains($0) }.map { entries[$0] }
  }

  /// Of items that are the same, where the one is that was changed last; the first of several.
  private var latestItems: [String: Int] {
    func date(_ place: Int) -> Double {
      guard case .entry(let entry, _)? = entries[items[place].entries].first else {
        return -.infinity
      }
      return entry.modified ?? -.infinity
    }
    return items.indices.reduce(into: [:]) { latest, place in
      let name = items[place].ownName
      if let before = latest[name], date(before) >= date(place) { return }
      latest[name] = place
    }
  }

  var nameCounts: [String: Int] {
    items.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
  }

  /// Whether the index has an item's name for it, and for no other one.
  private func isHeld(
    _ item: NamedItem, _ held: [CatalogKey: String], _ identities: [CatalogKey: String]
  ) -> Bool {
    let keys = deciding(item).filter { held[$0] != nil }
    return !keys.isEmpty
      && keys.allSatisfy { key in
        guard let identity = item.identity, let text = identities[key] else {
          return item.isAt(held[key])
        }
        return identity.isSame(text)
      }
  }

  private func deciding(_ item: NamedItem) -> [CatalogKey] {
    let keys = keys(of: item, as: item.name)
    return item.identity == nil ? Array(keys.prefix(1)) : keys
  }

  func keys(of item: NamedItem, as name: String) -> [CatalogKey] {
    item.entries.map { key($0, of: item, as: name) }
  }

  private func key(_ place: Int, of item: NamedItem, as name: String) -> CatalogKey {
    let written = entries[place].key?.bytes ?? []
    return CatalogKey(bytes: Array(name.utf8) + written.dropFirst(item.name.utf8.count))
  }

  mutating func rename(_ place: Int, of item: NamedItem, to name: String) {
    let key = key(place, of: item, as: name)
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
