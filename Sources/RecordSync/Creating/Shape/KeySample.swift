/// Keys, by their digests.
///
/// Up to so many, all of them. Of more, a half, a quarter, and so on, which the digests choose: of
/// a key that isn't among them nothing is known then, and it is taken for one that would be.
package struct KeySample: Sendable, Equatable {
  /// How many keys of rows are remembered at most: a few megabytes for each place of a payload.
  package static let most = 1 << 16

  private var digests: Set<UInt64> = []
  /// The bits of a digest that are all 0 in those that are remembered.
  private var mask: UInt64 = 0
  private let most: Int

  package init(most: Int = Self.most) {
    self.most = most
  }

  package var count: Int { digests.count }

  package mutating func add(_ digest: UInt64) {
    guard digest & mask == 0 else { return }
    digests.insert(digest)
    while digests.count > most {
      mask = mask << 1 | 1
      digests = digests.filter { $0 & mask == 0 }
    }
  }

  /// Takes those that were seen elsewhere.
  package mutating func add(_ other: KeySample) {
    if other.mask > mask {
      mask = other.mask
      digests = digests.filter { $0 & mask == 0 }
    }
    for digest in other.digests { add(digest) }
  }

  /// Whether all of these are among them, as far as that is known.
  package func hasAll(of others: KeySample) -> Bool {
    others.digests.allSatisfy { $0 & mask != 0 || digests.contains($0) }
  }
}
