import SyncEngine
package import SyncFolder
import SyncText

/// What the engine is given for one position of a listing: a ``ListedEntry`` whose key was checked.
enum MirrorItem: SyncItem, Hashable {
  /// An entry; `isSettled` when its version tells every later state from this one.
  case entry(PlaceableEntry, isSettled: Bool)
  /// One failed item that counts as present.
  indirect case unusable(UnusableEntry)

  /// The key; or, where none can be read, the position. Keys are equal wherever they lie.
  enum ID: Sendable {
    case key(CatalogKey)
    case packed(PackedKey)
    case position(Int)
  }

  /// The item of an entry; one that can't be used where the key is no path.
  ///
  /// - Parameter position: Its place in the listing, counted from 1; 0 for what the index keeps.
  init(_ entry: CatalogEntry, isSettled: Bool, at position: Int = 0) {
    do throws(KeyProblem) {
      self = .entry(try PlaceableEntry(entry), isSettled: isSettled)
    } catch {
      self = .unusable(UnusableEntry(position: position, key: entry.key, problem: .key(error)))
    }
  }

  var id: ID {
    switch self {
    case .entry(let entry, _): entry.listed.packedKey.map(ID.packed) ?? .key(entry.key)
    case .unusable(let unusable): unusable.key.map(ID.key) ?? .position(unusable.position)
    }
  }

  var downloadOrder: Int {
    switch self {
    case .entry(let entry, _): entry.listed.order
    case .unusable: 0
    }
  }

  var entry: PlaceableEntry? {
    switch self {
    case .entry(let entry, _): entry
    case .unusable: nil
    }
  }

  /// Whether it goes somewhere, or would if it could be used.
  var isPlaceable: Bool {
    switch self {
    case .entry: true
    case .unusable(let unusable): unusable.path != nil
    }
  }

  /// The bytes of the key where they lie; `nil` where none can be read.
  var keyBytes: ArraySlice<UInt8>? {
    switch self {
    case .entry(let entry, _): entry.listed.keyBytes
    case .unusable(let unusable): unusable.key?.bytes[...]
    }
  }
}

extension MirrorItem.ID: Hashable {
  static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.key(let one), .key(let other)): one == other
    case (.packed(let one), .packed(let other)): one == other
    case (.key(let key), .packed(let packed)), (.packed(let packed), .key(let key)):
      packed.bytes == key.bytes[...]
    case (.position(let one), .position(let other)): one == other
    case (.position, _), (_, .position): false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): hasher.combine(key)
    case .packed(let packed): hasher.combine(packed)
    case .position(let position): hasher.combine(position)
    }
  }
}

extension MirrorItem.ID: CustomStringConvertible {
  var description: String {
    switch self {
    case .key(let key): key.description
    case .packed(let packed): packed.key.description
    case .position(let position): "entry \(position)"
    }
  }

  var key: CatalogKey? {
    switch self {
    case .key(let key): key
    case .packed(let packed): packed.key
    case .position: nil
    }
  }
}

extension Listing {
  /// How many positions the listing has, usable or not.
  var count: Int { entries.count + known.count + unusable.count + keyless.count }

  /// Every position of the listing that isn't known as the engine's items.
  var items: [MirrorItem] {
    let others = unusableItems
    return others.isEmpty ? entries.items : entries.items + others
  }

  /// The items that fail; of those without a key the first ones.
  var unusableItems: [MirrorItem] {
    (unusable + keyless.named).map { .unusable($0) }
  }
}

/// An entry that can be placed: its key was checked, and is a path below the folder.
///
/// As large as the entry, since a listing may hold millions.
@dynamicMemberLookup
package struct PlaceableEntry: Hashable, Sendable {
  package let listed: CatalogEntry

  /// Checks an entry's key.
  /// - Throws: why it is no path.
  package init(_ entry: CatalogEntry) throws(KeyProblem) {
    _ = try RelativePath(entry.key)
    listed = entry
  }

  package var key: CatalogKey { listed.key }

  package var path: RelativePath { RelativePath(ofChecked: listed.key) }

  package subscript<Value>(dynamicMember fact: KeyPath<CatalogEntry, Value>) -> Value {
    listed[keyPath: fact]
  }
}
