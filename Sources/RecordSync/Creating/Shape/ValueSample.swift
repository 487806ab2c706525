/// Whether objects of one key contradict each other: for the objects at one place of a payload, the
/// value of each member of each key, by digests.
///
/// Two objects of a key contradict each other where both have a member, and it differs. What one of
/// them lacks says nothing; `null` is a value. Only within one body is that a contradiction: of
/// bodies that were fetched one after the other, the last has the last word.
///
/// Up to ``most`` values, all of them are remembered. Of more, those of a half of the keys, a
/// quarter, and so on, which the keys' digests choose.
package struct ValueSample: Sendable, Equatable {
  /// How many values are remembered at most: some twenty megabytes.
  package static let most = 1 << 19

  /// The first contradiction that was found.
  package internal(set) var contradiction: Contradiction?
  /// By key and member, whose lower 16 bits are the key's: the digest of the value, and, in the
  /// lower 16 bits, the body in which it stands.
  private var values: [UInt64: UInt64] = [:]
  /// The bits of a key's digest that are all 0 in those that are remembered.
  private var mask: UInt64 = 0
  private let most: Int
  private static let lower: UInt64 = 0xffff

  package init(most: Int = Self.most) {
    self.most = most
  }

  /// Takes the value of a member of an object.
  ///
  /// - Returns: Whether it contradicts an earlier one.
  package mutating func add(
    _ value: UInt64, of member: UInt64, ofKey key: UInt64, inBody body: Int
  ) -> Bool {
    guard key & mask == 0 else { return false }
    let place = (key &* 0x9e37_79b9_7f4a_7c15 ^ member) & ~Self.lower | key & Self.lower
    return add(value & ~Self.lower | UInt64(body) & Self.lower, at: place)
  }

  private mutating func add(_ entry: UInt64, at place: UInt64) -> Bool {
    guard place & mask == 0 else { return false }
    let earlier = values.updateValue(entry, forKey: place) ?? entry
    while values.count > most, mask != Self.lower {
      mask = mask << 1 | 1
      values = values.filter { $0.key & mask == 0 }
    }
    return earlier != entry && earlier & Self.lower == entry & Self.lower
  }

  /// Takes the objects of another place, which are to be rows of the same table.
  package mutating func add(_ other: ValueSample) {
    contradiction = contradiction ?? other.contradiction
    for (place, entry) in other.values {
      guard add(entry, at: place), contradiction == nil else { continue }
      contradiction = Contradiction(key: nil, member: nil)
    }
  }

  /// The same values, as if none of them contradicted each other so far.
  package var forgiven: ValueSample {
    var forgiven = self
    forgiven.contradiction = nil
    return forgiven
  }
}

/// Two objects of one key that differ.
package struct Contradiction: Sendable, Equatable {
  /// The key as it was written; `nil` where that isn't known, since they stand in several places.
  package var key: String?
  package var member: String?

  package init(key: String?, member: String?) {
    self.key = key
    self.member = member
  }
}
