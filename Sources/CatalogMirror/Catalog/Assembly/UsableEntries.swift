/// The entries of a listing that can be used, held as the items that the engine is given: one list
/// for both, since there may be millions.
package struct UsableEntries: Hashable, Sendable {
  /// Each of them is an entry.
  let items: [MirrorItem]

  /// These entries, of which the versions of all but some tell every later state.
  package init(_ entries: some Sequence<PlaceableEntry>, unsettled: Set<CatalogKey> = []) {
    items = entries.map { .entry($0, isSettled: !unsettled.contains($0.key)) }
  }

  /// What of these is an entry.
  init(among items: [MirrorItem]) {
    self.items = items.allSatisfy(\.isEntry) ? items : items.filter(\.isEntry)
  }

  /// Those whose version doesn't prove anything.
  var unsettled: Set<CatalogKey> {
    Set(items.lazy.filter { !$0.isSettled }.compactMap(\.entry?.key))
  }

  /// The entries at these places.
  func at(_ places: [Int]) -> UsableEntries { UsableEntries(among: places.map { items[$0] }) }
}

extension UsableEntries: RandomAccessCollection, ExpressibleByArrayLiteral {
  package init(arrayLiteral entries: PlaceableEntry...) { self.init(entries) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { items.count }

  package subscript(place: Int) -> PlaceableEntry {
    guard let entry = items[place].entry else { preconditionFailure("an item without an entry") }
    return entry
  }
}

extension MirrorItem {
  fileprivate var isEntry: Bool { if case .entry = self { true } else { false } }

  fileprivate var isSettled: Bool {
    if case .entry(_, isSettled: true) = self { true } else { false }
  }
}
