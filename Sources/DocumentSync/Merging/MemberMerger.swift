/// Merges what both sides made of one member.
///
/// ```swift
/// notes.mergers = [["text"]: .lines, ["stats", "visits"]: .counter]
/// ```
public struct MemberMerger: Sendable {
  /// The value that holds both changes; `nil` where there is none.
  package let merge:
    @Sendable (
      _ base: DocumentValue?, _ here: DocumentValue, _ there: DocumentValue
    ) -> DocumentValue?

  /// A merger of your own.
  ///
  /// It is asked wherever both sides changed the member and neither removed it, also when both made
  /// the same of it: two who count from 5 to 6 have counted two. It is asked again with the same
  /// values whenever they meet again, and must give the same answer.
  ///
  /// - Parameter merge: gives the value that holds both changes; `nil` where there is none, and the
  ///   next policy decides. It is told what both started from (`nil` where both made the member
  ///   anew), what was made of it here, and what the server has.
  public init(
    _ merge:
      @escaping @Sendable (
        _ base: DocumentValue?, _ here: DocumentValue, _ there: DocumentValue
      ) -> DocumentValue?
  ) {
    self.merge = merge
  }

  /// Merges arrays as sets: what either side added is there, what either side removed isn't.
  /// Elements stand in the server's order, those that were added here behind them. Whoever adds
  /// again what the other side removed has added nothing, since it was there all the time.
  public static let tags = MemberMerger { base, here, there in
    guard let ours = here.elements, let theirs = there.elements else { return nil }
    let before = Set(base?.elements ?? [])
    let removed = before.subtracting(ours)
    var known = before.union(theirs)
    return DocumentValue(
      joining: theirs.filter { !removed.contains($0) } + ours.filter { known.insert($0).inserted })
  }
}

extension [DocumentPath: MemberMerger] {
  /// Whether there is one for something inside of what stands at that path.
  func reach(below path: DocumentPath) -> Bool {
    keys.contains { $0 != path && path.contains($0) }
  }
}
