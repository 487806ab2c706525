/// Whether a child hangs on several parents: for the children of one relation, the parent of each,
/// by digests of their keys.
///
/// Up to ``most`` children, all of them are remembered. Of more, a half, a quarter, and so on,
/// which their digests choose, so that a child is either looked at wherever it stands or nowhere: a
/// few that are shared may then be missed, many can't be.
package struct ParentSample: Sendable, Equatable {
  /// How many children are remembered at most: some ten megabytes.
  package static let most = 1 << 18

  /// Whether a child was found that hangs on several.
  package private(set) var isShared = false
  private var parents: [UInt64: UInt64] = [:]
  /// The bits of a digest that are all 0 in those that are remembered.
  private var mask: UInt64 = 0
  private let most: Int

  package init(most: Int = Self.most) {
    self.most = most
  }

  /// How many children are remembered.
  package var count: Int { parents.count }

  package mutating func add(_ child: UInt64, under parent: UInt64) {
    guard !isShared, child & mask == 0 else { return }
    if let other = parents.updateValue(parent, forKey: child), other != parent {
      isShared = true
      parents = [:]
    }
    while parents.count > most {
      mask = mask << 1 | 1
      parents = parents.filter { $0.key & mask == 0 }
    }
  }

  /// Takes what was seen of the same relation elsewhere.
  package mutating func add(_ other: ParentSample) {
    if other.isShared { (isShared, parents) = (true, [:]) }
    for (child, parent) in other.parents { add(child, under: parent) }
  }
}
