/// Merges arrays as sets: what either side added is there, what either side removed isn't. Elements
/// stand in the server's order, those that were added here behind them. Whoever adds again what the
/// other side removed has added nothing, since it was there all the time.
public struct TagsMerger: MemberMerger {
  /// A merger of sets.
  public init() {}

  /// The set with the additions and removals of both; `nil` for what is no array.
  public func merge(
    base: DocumentValue?, here: DocumentValue, there: DocumentValue
  ) -> DocumentValue? {
    guard let ours = here.elements, let theirs = there.elements else { return nil }
    let before = Set(base?.elements ?? [])
    let removed = before.subtracting(ours)
    var known = before.union(theirs)
    return DocumentValue(
      joining: theirs.filter { !removed.contains($0) } + ours.filter { known.insert($0).inserted })
  }
}
