import SyncEngine
import SyncText

/// What the engine is given for one position of a listing: an entry, or why there is none.
struct MirrorItem: SyncItem, Equatable {
  /// The key; or, where none can be read, the position.
  enum ID: Hashable, Sendable {
    case key(CatalogKey)
    case position(Int)
  }

  /// What the listing has at this position.
  enum Subject: Equatable, Sendable {
    /// An entry; `isSettled` when its version tells every later state from this one.
    case entry(CatalogEntry, isSettled: Bool)
    /// One failed item that counts as present.
    indirect case unusable(UnusableEntry)
  }

  let subject: Subject

  var id: ID {
    switch subject {
    case .entry(let entry, _): .key(entry.key)
    case .unusable(let unusable): unusable.key.map(ID.key) ?? .position(unusable.position)
    }
  }

  var downloadOrder: Int {
    switch subject {
    case .entry(let entry, _): entry.order
    case .unusable: 0
    }
  }

  var entry: CatalogEntry? {
    switch subject {
    case .entry(let entry, _): entry
    case .unusable: nil
    }
  }
}

extension MirrorItem.ID: CustomStringConvertible {
  /// The key, escaped; or the position.
  var description: String {
    switch self {
    case .key(let key): key.description
    case .position(let position): "entry \(position)"
    }
  }

  var key: CatalogKey? {
    switch self {
    case .key(let key): key
    case .position: nil
    }
  }
}

extension Listing {
  /// How many positions the listing has, usable or not.
  var count: Int { entries.count + known.count + unusable.count + keyless.count }

  /// Every position of the listing that isn't known as the engine's items.
  var items: [MirrorItem] { usableItems + unusableItems }

  /// The items of ``entries``.
  var usableItems: [MirrorItem] {
    entries.map { MirrorItem(subject: .entry($0, isSettled: !unsettled.contains($0.key))) }
  }

  /// The items that fail; of those without a key the first ones.
  var unusableItems: [MirrorItem] {
    (unusable + keyless.named).map { MirrorItem(subject: .unusable($0)) }
  }
}
