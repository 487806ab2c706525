/// Merges what both sides made of one member.
///
/// It is asked wherever both sides changed the member and neither removed it, also when both made
/// the same of it: two who count from 5 to 6 have counted two. It is asked again with the same
/// values whenever they meet again, and must give the same answer.
public protocol MemberMerger: Sendable {
  /// The value that holds both changes; `nil` where there is none, and the next policy decides.
  /// - Parameters:
  ///   - base: what both started from; `nil` where both made the member anew.
  ///   - here: what was made of it here.
  ///   - there: what the server has.
  func merge(
    base: DocumentValue?, here: DocumentValue, there: DocumentValue
  ) -> DocumentValue?
}

/// The mergers of one type of documents, each for the member at a path.
///
/// ```swift
/// let mergers: MemberMergers = [["text"]: LinesMerger(), ["stats", "visits"]: CounterMerger()]
/// ```
public struct MemberMergers: Sendable, ExpressibleByDictionaryLiteral {
  private let mergers: [MemberPath: any MemberMerger]

  /// No merger: every member is merged as a value.
  public static let none = MemberMergers([:])

  /// Mergers by path.
  public init(_ mergers: [MemberPath: any MemberMerger]) {
    self.mergers = mergers
  }

  /// Mergers by path. Of two for one path, the last one counts.
  public init(dictionaryLiteral mergers: (MemberPath, any MemberMerger)...) {
    self.init(Dictionary(mergers, uniquingKeysWith: { $1 }))
  }

  /// Whether there is none.
  package var isEmpty: Bool { mergers.isEmpty }

  /// The merger of the member at that path.
  package subscript(path: MemberPath) -> (any MemberMerger)? { mergers[path] }

  /// Whether there is one for something inside of what stands at that path.
  func reach(below path: MemberPath) -> Bool {
    mergers.keys.contains { $0 != path && path.contains($0) }
  }
}

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
