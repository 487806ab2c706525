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

  /// A list that begins.
  init(reason: Reason) {
    self.reason = reason
  }

  mutating func note(_ page: ChangePage) {
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
