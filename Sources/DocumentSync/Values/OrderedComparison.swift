import SyncText

/// Compares two values part by part, up to the first that differs, for as long as both name their
/// members in the same order. That's how a value mostly looks beside an earlier one of itself.
struct OrderedComparison {
  private let one: JSONTape
  private let other: JSONTape

  /// Whether both mean the same; `nil` where that isn't to be seen in this way.
  static func areSame(_ one: DocumentValue, _ other: DocumentValue) -> Bool? {
    guard let (mine, root) = tape(one), let (theirs, otherRoot) = tape(other) else { return nil }
    return OrderedComparison(one: mine, other: theirs).areSame(root, otherRoot)
  }

  private static func tape(_ value: DocumentValue) -> (JSONTape, JSONTape.Node)? {
    var tape = JSONTape(nesting: DocumentValue.deepestNesting)
    tape.begin(Array(value.json.written))
    guard let root = try? tape.append(at: 0).root else { return nil }
    return (tape, root)
  }

  private func areSame(_ mine: JSONTape.Node, _ theirs: JSONTape.Node) -> Bool? {
    let kind = one.kind(of: mine)
    guard kind == other.kind(of: theirs) else { return false }
    switch kind {
    case .null, .false, .true: return true
    case .string: return areSameStrings(mine, theirs)
    case .number:
      return isWrittenAlike(mine, theirs)
        || one.number(mine)?.canonicalText == other.number(theirs)?.canonicalText
    case .array, .object: return areSameInside(mine, theirs, hasNames: kind == .object)
    }
  }

  private func areSameInside(
    _ mine: JSONTape.Node, _ theirs: JSONTape.Node, hasNames: Bool
  ) -> Bool? {
    var (part, otherPart) = (one.inside(mine), other.inside(theirs))
    let (end, otherEnd) = (one.end(of: mine), other.end(of: theirs))
    while part != end, otherPart != otherEnd {
      if hasNames {
        // Others may stand further on; which of them, an index tells faster.
        guard areSameStrings(part, otherPart) else { return nil }
        (part, otherPart) = (one.after(part), other.after(otherPart))
      }
      guard let areSame = areSame(part, otherPart) else { return nil }
      guard areSame else { return false }
      (part, otherPart) = (one.after(part), other.after(otherPart))
    }
    return part == end && otherPart == otherEnd
  }

  private func areSameStrings(_ mine: JSONTape.Node, _ theirs: JSONTape.Node) -> Bool {
    if one.isPlain(mine) {
      let range = one.range(of: mine)
      if other.isPlain(theirs) {
        return other.isPlain(theirs, as: one.bytes, range.lowerBound + 1..<range.upperBound - 1)
      }
    }
    return one.stringBytes(mine) == other.stringBytes(theirs)
  }

  private func isWrittenAlike(_ mine: JSONTape.Node, _ theirs: JSONTape.Node) -> Bool {
    one.bytes[one.range(of: mine)] == other.bytes[other.range(of: theirs)]
  }
}
