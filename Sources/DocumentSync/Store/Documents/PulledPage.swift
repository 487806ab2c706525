/// What a server has and what can't be stored.
public struct UnreadableDocument: Sendable, Hashable {
  /// Its id, or what else it's told from others by.
  public let name: String
  /// Why.
  public let words: String
  /// Whether it has no id that could be read: then its name is its place in the list, which tells
  /// of it again and again.
  public let isNameless: Bool

  /// What can't be stored, and why.
  package init(name: String, words: String, isNameless: Bool = false) {
    self.name = name
    self.words = words
    self.isNameless = isNameless
  }

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

  /// A part of what changed.
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
  /// What was decided; `nil` if nothing had to be.
  package let decision: Decision?
  /// Why it wasn't taken.
  package var failure: DocumentStoreProblem?
  /// What the server has taken, as it turned out.
  var taken: TakenSend?
}
