public import SyncEngine

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
  private var marks: Set<String> = []

  init(after checkpoint: String?) {
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

/// What a list told that can't be read.
///
/// What has an id is asked for by that. Nobody can ask so for what has none: it only comes again
/// with the list. So from there on, the list's checkpoints don't count, until it's told otherwise.
struct UnreadEntries: Sendable, Equatable {
  /// What has no id, by its place in the list.
  private(set) var nameless: Set<UnreadableDocument> = []
  /// How many entries came before the next page.
  private var count = 0

  /// A page came, of a list or of what a query found: answers what can't be read of it.
  mutating func note(_ page: ChangePage, of query: String? = nil) -> [UnreadableDocument] {
    let mark = UnreadableDocument.mark(ofQuery: query)
    let unread = page.unreadable.map { entry in
      UnreadableDocument(
        name: entry.id?.text ?? "entry \(count + entry.place)\(mark)", words: entry.reason,
        isNameless: entry.id == nil)
    }
    nameless.formUnion(unread.filter(\.isNameless))
    count += page.documents.count + page.unreadable.count
    return unread
  }

  /// The page as it counts: without its checkpoint if the list has to come again from before.
  func holding(_ page: ChangePage) -> ChangePage {
    guard !nameless.isEmpty else { return page }
    var page = page
    page.checkpoint = nil
    return page
  }
}

/// How many documents one sync may remove from a collection, since the server has them no more.
public enum RemovalRule: Sendable, Equatable {
  /// Not half of them and more than three, and not all of more than one: by default.
  case careful
  /// What is asked for in its place; all of them only where that says so.
  case within(RemovalLimit)

  /// Whether they may go.
  func allows(_ vanishing: Vanishing) -> Bool {
    switch self {
    case .careful:
      return RemovalLimit.guarded(count: 3).allows(removals: vanishing.count, of: vanishing.held)
    case .within(.unlimited): return true
    case .within(let limit):
      let isAll = vanishing.count >= vanishing.held && vanishing.held > 1
      return !isAll && limit.allows(removals: vanishing.count, of: vanishing.held)
        || vanishing.count == 0
    }
  }
}
