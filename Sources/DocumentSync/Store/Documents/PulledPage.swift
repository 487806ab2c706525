/// What a server has and what can't be stored.
package struct UnreadableDocument: Sendable, Hashable {
  /// Its id, or what else it's told from others by.
  package let name: String
  /// Why.
  package let words: String
  /// Whether it has no id that could be read: then its name is its place in the list, which tells
  /// of it again and again.
  package var isNameless = false

  /// What stands behind the places in what a query found, which another list has, too.
  static func mark(ofQuery name: String?) -> String {
    name.map { " of the query '\($0)'" } ?? ""
  }

  /// Whether a query, or the list where it's `nil`, told it by its place alone.
  func isNameless(ofQuery query: String?) -> Bool {
    // As in "entry 7 of the query 'all'".
    isNameless && name.dropFirst("entry ".count).drop { $0.isNumber } == Self.mark(ofQuery: query)
  }
}

/// A part of what changed at a server.
package struct PulledPage: Sendable {
  package var documents: [DocumentChange]
  /// What can't be stored.
  package var unreadable: [UnreadableDocument] = []
  /// What the store is known to be as new as once all of it is written, and all that came before;
  /// `nil` where a server says so only at the end.
  package var checkpoint: String?

  package init(
    _ documents: [DocumentChange], unreadable: [UnreadableDocument] = [], checkpoint: String? = nil
  ) {
    self.documents = documents
    self.unreadable = unreadable
    self.checkpoint = checkpoint
  }
}

/// What became of a document of which a server said something.
package struct PulledOutcome: Sendable, Equatable {
  package let id: DocumentID
  /// Whether people see something else of it now.
  package let isChanged: Bool
  package let decision: Decision?
  /// Why it wasn't taken.
  package var failure: DocumentError?
  /// What the server has taken, as it turned out.
  var taken: TakenSend?
  /// Whether its copy here went, as a filter doesn't let it through any more.
  var hasLeftFilter = false
}

/// What a list of everything is held against: the documents of a collection that a server had.
///
/// What such a list doesn't name isn't there any more. So each id that a page names is noted here,
/// those of documents that can't be read as well, and the rest has vanished at the list's end.
struct ListComparison: Sendable {
  /// Why a document that isn't named isn't there.
  enum Reason: String, Sendable {
    /// It was deleted: the server lists all that there is.
    case deleted
    /// The server forgot what it had.
    case forgotten
    /// The list's filter doesn't let it through; nobody knows whether it's at the server.
    case leftFilter
  }

  /// Why a document that isn't named isn't there.
  let reason: Reason
  private(set) var named: Set<DocumentID> = []
  /// Whether something was named of which nobody can say what it is: then nothing has vanished.
  /// The same where a filtered list may lack something: to ask for a document by itself doesn't
  /// tell whether the filter lets it through.
  var isUncertain: Bool { hasUnknown || reason == .leftFilter && mayLack }
  private var hasUnknown = false
  private var count = ListCount()
  /// Where a filter is the reason, what can have left it: what was as the server had it when the
  /// list began.
  let candidates: Set<DocumentID>

  /// A list that begins.
  init(reason: Reason, candidates: Set<DocumentID> = []) {
    self.reason = reason
    self.candidates = candidates
  }

  /// Whether something may be there that isn't named.
  var mayLack: Bool { count.mayLack }

  /// It's there, as it turned out, or nobody can say that it isn't.
  mutating func note(_ id: DocumentID) { named.insert(id) }

  mutating func note(_ page: ChangePage) {
    count.note(page)
    named.formUnion(page.named)
    for change in page.documents {
      switch change.state {
      case .present, .revived: named.insert(change.id)
      // What is told as deleted needn't be found to be missing.
      case .deleted, .forgotten: break
      }
    }
    for entry in page.unreadable {
      if let id = entry.id { named.insert(id) } else { hasUnknown = true }
    }
  }

  /// What a server has of a document that it doesn't name.
  var news: DocumentState {
    switch reason {
    case .deleted: .deleted(nil)
    case .forgotten, .leftFilter: .forgotten
    }
  }
}

/// How many documents came with a list whose documents may shift over its pages' ends, so that some
/// are missed, beside how many there are.
struct ListCount: Sendable {
  /// What all pages said of how many there are.
  private var totals: Set<Int64?> = []
  /// All that came, those that are gone as well.
  private var counted: Set<DocumentID> = []

  /// Whether some may have been missed: unless each page told the same total, and as many came.
  var mayLack: Bool {
    guard let total = totals.first else { return false }
    return totals.count > 1 || total != Int64(counted.count)
  }

  mutating func note(_ page: ChangePage) {
    guard case .shifting(let total) = page.order else { return }
    totals.insert(total)
    counted.formUnion(
      page.documents.map(\.id) + page.named + page.unreadable.compactMap(\.id))
  }
}
