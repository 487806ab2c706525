/// The places that a listing names anew, and what they have to do with those that are known: no file
/// can stand where a directory has to be.
///
/// On a file system that folds no names; on others nothing is known (see ``CatalogSource``).
struct NamedPlaces {
  /// A known entry that can't stand beside one that is named anew.
  struct Collision {
    /// The known entry.
    var key: CatalogKey
    /// Its position in the listing.
    var position: UInt32
    /// The others; at least one.
    var with: [CatalogKey]
  }

  private var keys: Set<CatalogKey> = []
  /// The keys that are paths.
  private var files: Set<CatalogKey> = []
  /// The directories above them, each with all files below it.
  private var directories: [CatalogKey: [CatalogKey]] = [:]

  init(_ listing: Listing) {
    keys = Set(listing.entries.map(\.key) + listing.unusable.compactMap(\.key))
    guard !listing.known.isEmpty else { return }
    files = keys.filter { (try? RelativePath($0)) != nil }
    for key in files {
      for directory in Self.directories(above: key) {
        directories[directory, default: []].append(key)
      }
    }
  }

  /// Whether nothing is named.
  var isEmpty: Bool { keys.isEmpty }

  /// Whether this key is named.
  func holds(_ key: CatalogKey) -> Bool { keys.contains(key) }

  /// What a known entry collides with; `nil` when it can stay.
  func collision(of key: CatalogKey, at position: UInt32) -> Collision? {
    let others =
      directories[key]?.sorted() ?? Self.directories(above: key).filter(files.contains)
    return others.isEmpty ? nil : Collision(key: key, position: position, with: others)
  }

  private static func directories(above key: CatalogKey) -> [CatalogKey] {
    key.bytes.indices.filter { key.bytes[$0] == UInt8(ascii: "/") }
      .map { CatalogKey(bytes: Array(key.bytes[..<$0])) }
  }
}

extension Listing {
  /// Makes both sides of each collision unusable.
  mutating func mark(_ collisions: [NamedPlaces.Collision]) {
    guard !collisions.isEmpty else { return }
    var partners: [CatalogKey: CatalogKey] = [:]
    for collision in collisions {
      unusable.append(
        UnusableEntry(
          position: Int(collision.position), key: collision.key,
          problem: .collision(KeyCollision(kind: .fileAndDirectory, with: collision.with[0]))))
      for other in collision.with where partners[other] == nil { partners[other] = collision.key }
    }
    let marked = Set(collisions.map(\.position))
    known.removeAll { marked.contains($0.position) }
    for (entry, position) in zip(entries, positions) {
      guard let other = partners[entry.key] else { continue }
      unusable.append(
        UnusableEntry(
          position: Int(position), key: entry.key,
          problem: .collision(KeyCollision(kind: .fileAndDirectory, with: other))))
    }
    let stays = entries.indices.filter { partners[entries[$0].key] == nil }
    (entries, positions) = (stays.map { entries[$0] }, stays.map { positions[$0] })
  }
}
