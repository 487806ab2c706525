/// Which packs stay as they are and which are written anew, so that few are asked for, at least
/// half of what they hold is wanted, and little is written again.
///
/// - A pack with less than half of live bytes is written anew: what it costs, its dead bytes have
///   paid for.
/// - Packs are merged when eight of like size stand, the largest at most twice the smallest. What
///   comes of them is eight times as large, so that a byte is merged at most twice on its way from
///   ``leastBytes`` to ``mostBytes``.
/// - Few files, or few bytes, aren't packed: each goes by its own URL until more have gathered.
enum PackPolicy {
  /// A pack, by what of it is still wanted.
  struct Pack: Equatable {
    var id: UInt32
    /// All of its bytes.
    var size: Int64
    /// The bytes of it that some file still has.
    var live: Int64
    /// How many files these are.
    var files: Int
  }

  /// What is to be written into packs, or was a moment ago.
  struct Load: Equatable {
    var files = 0
    var bytes: Int64 = 0

    static func + (left: Load, right: Load) -> Load {
      Load(files: left.files + right.files, bytes: left.bytes + right.bytes)
    }
  }

  /// A larger file goes by its own URL.
  static let largestFile: Int64 = 256 << 10
  /// A pack is ended before it has more bytes than this.
  static let mostBytes: Int64 = 8 << 20
  /// From so many files or bytes on, whichever comes first, a pack is worth its request.
  static let leastFiles = 64
  static let leastBytes: Int64 = 256 << 10
  /// So many packs of like size are merged.
  static let alike = 8

  /// Whether a file of this size has a place in packs: an empty one costs no request anyway.
  static func takes(_ size: Int64) -> Bool { size > 0 && size <= largestFile }

  static func isWorthPacking(_ load: Load) -> Bool {
    load.files >= leastFiles || load.bytes >= leastBytes
  }

  /// The ids of the packs that are given up, their live bytes written anew beside `load`.
  static func givenUp(among packs: [Pack], beside load: Load) -> Set<UInt32> {
    var kept = packs.filter { $0.live > 0 && $0.live * 2 >= $0.size }.sorted { $0.live < $1.live }
    var gone = Set(packs.map(\.id)).subtracting(kept.map(\.id))
    var written = packs.reduce(load) { gone.contains($1.id) ? $0 + $1.load : $0 }
    // What has half of the most bytes or more stays: there will never be many of those.
    while let range = alike(
      kept.prefix { $0.live < mostBytes / 2 }, beside: rest(of: written))
    {
      written = kept[range].reduce(written) { $0 + $1.load }
      gone.formUnion(kept[range].map(\.id))
      kept.removeSubrange(range)
    }
    return gone
  }

  /// What the last pack will hold of what is written; `nil` where it isn't worth one.
  private static func rest(of written: Load) -> Int64? {
    let rest = written.bytes % mostBytes
    guard written.bytes >= mostBytes ? rest >= leastBytes : isWorthPacking(written) else {
      return nil
    }
    return rest
  }

  /// The first packs, from the smallest on, that make eight of like size, maybe together with one
  /// of `rest` bytes that is still to be written.
  private static func alike(_ packs: ArraySlice<Pack>, beside rest: Int64?) -> Range<Int>? {
    let rest = rest.flatMap { $0 < mostBytes / 2 ? $0 : nil }
    // The smallest may be the one that is to be written.
    for least in (packs.map(\.live) + [rest].compactMap(\.self)).sorted() {
      let start = packs.firstIndex { $0.live >= least } ?? packs.endIndex
      let end = packs[start...].firstIndex { $0.live > 2 * least } ?? packs.endIndex
      let isOneOfThem = rest.map { $0 >= least && $0 <= 2 * least } ?? false
      if end - start + (isOneOfThem ? 1 : 0) >= alike { return start..<end }
    }
    return nil
  }
}

extension PackPolicy.Pack {
  fileprivate var load: PackPolicy.Load { PackPolicy.Load(files: files, bytes: live) }
}
