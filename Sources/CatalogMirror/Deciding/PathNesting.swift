import SyncFolder
private import SyncSystem
import SyncText

/// Finds files that would have to be directories for others, in keys that come in byte order.
///
/// In that order everything that begins with the bytes of "a" follows right after it, so that those
/// keys which the present one begins with are all that has to be remembered.
struct PathNesting<Value> {
  private var begun: [(key: CatalogKey, value: Value)] = []

  /// Takes the next key, and gives the ones before that would be directories above it, the
  /// outermost first.
  mutating func next(_ key: CatalogKey, _ value: Value) -> [Value] {
    while let last = begun.last, !key.begins(with: last.key) { begun.removeLast() }
    guard !begun.isEmpty else {
      begun.append((key, value))
      return []
    }
    let above = begun.filter { other in
      other.key.bytes.count < key.bytes.count
        && key.bytes[other.key.bytes.count] == UInt8(ascii: "/")
    }
    begun.append((key, value))
    return above.map(\.value)
  }
}

/// Whether any key would have to be a directory for another, of keys that come in byte order: as
/// ``PathNesting``, for who needs no more than that of very many.
struct NestingCheck {
  /// The key before, and how long those are that it begins with, itself among them.
  private var last: [UInt8] = []
  private var begun: [Int] = []

  /// Takes the next key, and says whether one before would be a directory above it.
  mutating func isBelowAnother(_ key: UnsafeRawBufferPointer) -> Bool {
    var common = 0
    while common < min(last.count, key.count), last[common] == key[common] { common += 1 }
    while let count = begun.last, count > common { begun.removeLast() }
    let isBelow = begun.contains { $0 < key.count && key[$0] == UInt8(ascii: "/") }
    last.removeAll(keepingCapacity: true)
    last += key
    begun.append(key.count)
    return isBelow
  }
}

extension CatalogKey {
  fileprivate func begins(with other: CatalogKey) -> Bool {
    let count = other.bytes.count
    guard count > 0 else { return true }
    guard bytes.count >= count, bytes[count - 1] == other.bytes[count - 1] else { return false }
    return bytes[..<count].elementsEqual(other.bytes)
  }
}

/// An entry of a listing, by how it is found again.
enum ListedPlace: Hashable {
  case known(CatalogKey, position: UInt32)
  /// One of `Listing.entries`.
  case entry(Int)
  /// One of `Listing.unusable`.
  case unusable(Int)
}

/// The entries of a listing that aren't known and have a path, in the byte order of their keys.
struct NamedPlaces: Sendable {
  private let entries: UsableEntries
  private let unusable: [(index: Int, key: CatalogKey)]
  /// Which comes where, the unusable ones counted behind the others; empty where that is the order.
  private var order: [UInt32] = []
  private var next = 0

  init(_ listing: Listing) {
    entries = listing.entries
    unusable = listing.unusable.indices.compactMap { index in
      listing.unusable[index].path.map { (index, $0.key) }
    }
    let all = 0..<UInt32(entries.count + unusable.count)
    let isSorted = all.dropFirst().allSatisfy { key(of: $0 - 1).comes(before: key(of: $0)) }
    if !isSorted { order = all.sorted { key(of: $0).comes(before: key(of: $1)) } }
  }

  private func key(of number: UInt32) -> ArraySlice<UInt8> {
    let number = Int(number)
    if number < entries.count { return entries[number].listed.keyBytes }
    return unusable[number - entries.count].key.bytes[...]
  }

  private var number: UInt32? {
    guard next < entries.count + unusable.count else { return nil }
    return order.isEmpty ? UInt32(next) : order[next]
  }

  /// The next one; `nil` at the end.
  var place: ListedPlace? {
    number.map { number in
      let number = Int(number)
      return number < entries.count
        ? .entry(number) : .unusable(unusable[number - entries.count].index)
    }
  }

  /// Whether the next one is that of a key.
  func isAt(_ key: CatalogKey) -> Bool {
    number.map { self.key(of: $0) == key.bytes[...] } ?? false
  }

  /// Passes the next one, if it comes before a key, or whatever comes.
  mutating func pass(before key: CatalogKey?) -> (key: CatalogKey, place: ListedPlace)? {
    guard let number, let place else { return nil }
    let bytes = self.key(of: number)
    if let key, !bytes.comes(before: key.bytes[...]) { return nil }
    next += 1
    return (CatalogKey(bytes: Array(bytes)), place)
  }
}

extension ArraySlice<UInt8> {
  /// Byte order.
  fileprivate func comes(before other: Self) -> Bool {
    withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard let start = one.baseAddress, let otherStart = other.baseAddress else {
          return one.count < other.count
        }
        let order = memcmp(start, otherStart, Swift.min(one.count, other.count))
        return order == 0 ? one.count < other.count : order < 0
      }
    }
  }
}

extension Listing {
  /// Makes what collides unusable: each place with the key of one that it collides with.
  mutating func mark(_ collisions: [ListedPlace: CatalogKey]) {
    guard !collisions.isEmpty else { return }
    var positions = Set<UInt32>()
    var indices = Set<Int>()
    for (place, other) in collisions {
      let (key, position): (CatalogKey, UInt32)
      switch place {
      case .known(let known, let at): (key, position) = (known, at)
      case .entry(let index): (key, position) = (entries[index].key, self.positions[index])
      case .unusable: continue  // it has failed for a reason of its own
      }
      unusable.append(
        UnusableEntry(
          position: Int(position), key: key,
          problem: .collision(KeyCollision(kind: .fileAndDirectory, with: other))))
      positions.insert(position)
      if case .entry(let index) = place { indices.insert(index) }
    }
    known.removeAll { positions.contains($0.position) }
    let stays = entries.indices.filter { !indices.contains($0) }
    (entries, self.positions) = (entries.at(stays), stays.map { self.positions[$0] })
    unusable.sort { $0.position < $1.position }
  }
}
