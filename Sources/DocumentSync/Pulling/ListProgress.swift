/// How far the list of a collection is that is being pulled, and what is to be asked next.
///
/// It begins with the changes since the checkpoint, or with everything. A server that forgot what a
/// checkpoint or a mark speaks of is asked for everything, once.
struct ListProgress: Sendable, Equatable {
  /// What is to be done after an answer.
  enum Step: Sendable, Equatable {
    case apply(ChangePage, isEnd: Bool)
    /// Note that the server forgot; then go on.
    case forget
    /// Nothing has changed, or nothing is told: the list is at its end.
    case end
    /// The server contradicts itself.
    case giveUp(String)
  }

  /// What is asked for next.
  private(set) var place: ChangesPlace
  /// Whether the list at hand names all that there is; `nil` until its first page came.
  private(set) var extent: ChangePage.Extent?
  private var hasForgotten = false
  private var marks: Set<PageMark> = []

  /// A list that begins after a checkpoint, or with everything.
  init(after checkpoint: PullCheckpoint?) {
    place = checkpoint.map { .since($0) } ?? .beginning
  }

  mutating func answered(_ answer: ChangesAnswer) -> Step {
    switch answer {
    case .unchanged:
      if case .since = place { return .end }
      return .giveUp("it says that nothing has changed, and wasn't asked that")
    case .withoutLists: return .end
    case .forgot:
      if hasForgotten { return .giveUp("it forgets its list again and again") }
      (hasForgotten, place, extent, marks) = (true, .beginning, nil, [])
      return .forget
    case .page(let page):
      if let extent, extent != page.extent {
        return .giveUp("it goes on with another kind of list")
      }
      if place == .beginning, page.extent == .changes {
        return .giveUp("it tells changes, and was asked for everything")
      }
      extent = page.extent
      guard let next = page.next else { return .apply(page, isEnd: true) }
      guard marks.insert(next).inserted else { return .giveUp("its pages lead in a circle") }
      place = .page(next)
      return .apply(page, isEnd: false)
    }
  }
}
