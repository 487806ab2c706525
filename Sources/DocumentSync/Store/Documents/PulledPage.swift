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
  }

  /// Why a document that isn't named isn't there.
  let reason: Reason
  private(set) var named: Set<DocumentID> = []
  /// Whether something was named of which nobody can say what it is: then nothing has vanished.
  private(set) var isUncertain = false
  private var count = ListCount()

  /// A list that begins.
  init(reason: Reason) {
    self.reason = reason
  }

  /// Whether something may be there that isn't named.
  var mayLack: Bool { count.mayLack }

  /// It's there, as it turned out, or nobody can say that it isn't.
  mutating func note(_ id: DocumentID) { named.insert(id) }

  mutating func note(_ page: ChangePage) {
    count.note(page)
    for change in page.documents {
      switch change.state {
      case .present, .revived: named.insert(change.id)
      // What is told as deleted needn't be found to be missing.
      case .deleted, .forgotten: break
      }
    }
    for entry in page.unreadable {
      if let id = entry.id { named.insert(id) } else { isUncertain = true }
    }
  }

  /// What a server has of a document that it doesn't name.
  var news: DocumentState {
    switch reason {
    case .deleted: .deleted(nil)
    case .forgotten: .forgotten
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
    counted.formUnion(page.documents.map(\.id) + page.unreadable.compactMap(\.id))
  }
}
