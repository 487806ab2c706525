import CatalogMirror
import SyncText

/// A pack as the header of a catalog names it.
struct NamedPack: Hashable, Sendable {
  var id: UInt32
  var size: Int64
  var digest: SHA256Digest
}

/// Which packs there are, and where in them the bytes of which file lie, by their digest: a file
/// that was moved keeps its place, and two with the same bytes share one.
struct PackBook {
  private struct Held {
    var place: PackPlace
    var size: Int64
    /// Whether a file has these bytes.
    var isLive = false
  }

  /// By id.
  private(set) var packs: [UInt32: NamedPack] = [:]
  private var held: [SHA256Digest: Held] = [:]

  /// The packs in the order in which they were written.
  var named: [NamedPack] { packs.values.sorted { $0.id < $1.id } }

  /// The largest id of a pack.
  var last: UInt32? { packs.keys.max() }

  /// Where these bytes lie; `nil` where no pack holds them.
  func place(of digest: SHA256Digest) -> PackPlace? { held[digest]?.place }

  /// Notes that a file has these bytes; whether a pack holds them.
  mutating func use(_ digest: SHA256Digest) -> Bool {
    guard held[digest] != nil else { return false }
    held[digest]?.isLive = true
    return true
  }

  mutating func add(_ pack: NamedPack) {
    packs[pack.id] = pack
  }

  /// Adds bytes that lie in a pack, which may still be being written; those that are elsewhere
  /// stay there.
  mutating func add(_ digest: SHA256Digest, size: Int64, at place: PackPlace, isLive: Bool) {
    guard held[digest] == nil else { return }
    held[digest] = Held(place: place, size: size, isLive: isLive)
  }

  /// Forgets packs and what they hold.
  mutating func remove(_ ids: Set<UInt32>) {
    guard !ids.isEmpty else { return }
    for id in ids { packs[id] = nil }
    held = held.filter { !ids.contains($0.value.place.pack) }
  }

  /// Forgets all packs but so many of the largest: a header has room for no more.
  mutating func trim(to count: Int) {
    let ranked = packs.values.sorted { ($1.size, $0.id) < ($0.size, $1.id) }
    remove(Set(ranked.dropFirst(count).map(\.id)))
  }

  /// How much of each pack is live.
  var shares: [PackPolicy.Pack] {
    var shares = packs.mapValues {
      PackPolicy.Pack(id: $0.id, size: $0.size, live: 0, files: 0)
    }
    for one in held.values where one.isLive {
      shares[one.place.pack]?.live += one.size
      shares[one.place.pack]?.files += 1
    }
    return shares.values.sorted { $0.id < $1.id }
  }
}
