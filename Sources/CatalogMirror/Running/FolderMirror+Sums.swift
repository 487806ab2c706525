import SyncText

/// What there was of the SHA-256 digests of a mirror's files, as its index has them.
public struct MirrorSums: Sendable, Equatable {
  /// Whether the folder is a mirror.
  public var isMirror = false
  /// Whether the list was to go to where an item belongs, or among the mirror's own files. No
  /// digest was handed out then.
  public var isInTheWay = false
  /// How many files there are of which a digest is known.
  public var files = 0
  /// How many there are of which none is known: they were adopted by size and date, unread.
  public var undigested = 0
  /// The first of these; `nil` where there is none.
  public var firstUndigested: CatalogKey?

  /// What is known of one file.
  public struct Sum: Sendable, Equatable {
    /// The key, which is the path below the folder.
    public var key: CatalogKey
    /// The digest of the bytes that were fetched, or found there; `nil` where none is known.
    public var sha256: SHA256Digest?

    /// The line that `sha256sum` would write of the file, without its end: `sha256sum --check`
    /// reads it, and so does a mirror, as a catalog. `nil` where no digest is known.
    public var line: String? { sha256.map { ChecksumLine.text(of: $0, key.bytes) } }
  }

  fileprivate mutating func count(_ sums: [Sum]) {
    let lacking = sums.filter { $0.sha256 == nil }
    files += sums.count - lacking.count
    undigested += lacking.count
    firstUndigested = firstUndigested ?? lacking.first?.key
  }
}

/// The digests of some files, of each little more than the bytes of its key.
private struct PackedSums: Sendable {
  private var keys: [UInt8] = []
  /// Where each key ends.
  private var ends: [Int] = []
  private var digests: [SHA256Digest?] = []

  init(_ sums: [MirrorSums.Sum]) {
    keys.reserveCapacity(sums.reduce(0) { $0 + $1.key.bytes.count })
    for sum in sums {
      keys += sum.key.bytes
      ends.append(keys.count)
    }
    digests = sums.map(\.sha256)
  }

  var sums: [MirrorSums.Sum] {
    var start = 0
    return zip(ends, digests).map { end, digest in
      defer { start = end }
      return MirrorSums.Sum(key: CatalogKey(bytes: Array(keys[start..<end])), sha256: digest)
    }
  }
}

extension FolderMirror {
  /// Reads the digests of the files that are held from the index. No file is looked at, so that
  /// nothing is said of whether it is still what it was; ``verify()`` finds that out.
  ///
  /// The folder is in use while the index is read, and free again before the first of them is
  /// handed on; so all are in memory, some 90 bytes a file.
  ///
  /// - Parameters:
  ///   - place: Where the list is to go, as a path below the folder; `nil` for elsewhere.
  ///   - take: Is handed the files in the byte order of their keys, a thousand at a time. However
  ///     long it takes, runs may go on meanwhile.
  /// - Throws: ``MirrorError``, when the folder can't be looked at or is in use.
  public func sums(
    at place: String? = nil, _ take: @Sendable ([MirrorSums.Sum]) async -> Void
  ) async throws -> MirrorSums {
    let (sums, pieces) = try await gatheredSums(at: place)
    for piece in pieces {
      try Task.checkCancellation()
      await take(piece.sums)
    }
    return sums
  }

  private func gatheredSums(
    at place: String?
  ) async throws -> (sums: MirrorSums, pieces: [PackedSums]) {
    do {
      return try await FolderInspection.look(at: options, in: environment, observer: observer) {
        var (sums, pieces) = (MirrorSums(), [PackedSums]())
        guard let index = try $0.requireIndex() else { return (sums, pieces) }
        sums.isMirror = true
        if let place, try await Self.isTaken(place, in: index) {
          sums.isInTheWay = true
          return (sums, pieces)
        }
        var piece = try await index.read { try $0.items(after: nil, atMost: Self.summedAtATime) }
        while let last = piece.last?.key {
          try Task.checkCancellation()
          let held = piece.compactMap { item in
            item.content.map { MirrorSums.Sum(key: item.key, sha256: $0.sha256) }
          }
          sums.count(held)
          if !held.isEmpty { pieces.append(PackedSums(held)) }
          piece = try await index.read { try $0.items(after: last, atMost: Self.summedAtATime) }
        }
        return (sums, pieces)
      }
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  /// Of a million items, so many are read at once.
  private static let summedAtATime = 1_024

  private static func isTaken(_ place: String, in index: MirrorIndex) async throws -> Bool {
    if place.split(separator: "/").first == ".mirror" { return true }
    return try await index.read { try $0.knowsItem(at: CatalogKey(place)) }
  }
}
