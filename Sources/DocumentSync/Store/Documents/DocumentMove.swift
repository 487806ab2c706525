/// A document moves to an account that has another one under its id, as somebody signs in: decides
/// which of the two is the account's from now on.
struct DocumentMove: Sendable, Equatable {
  /// What becomes of the two.
  enum Decision: Sendable, Equatable {
    /// The one that moves takes the place of the other, which the server has as it is here: what
    /// was changed meets that with the next sync.
    case takesPlace
    /// The account's own stays, and nothing of the other is of use.
    case goes
    /// The account's own stays, since something was changed of it here, too; what was changed of
    /// the other is kept among what was lost.
    case givesWay(DocumentLoss?)
  }

  /// The one that moves.
  let moving: StoredDocument
  /// The account's own.
  let there: StoredDocument

  var decision: Decision {
    // A copy of the server's: the account has its own.
    if moving.isSynced, moving.shown == nil { return .goes }
    if moving.isNothing { return .goes }
    guard there.isSynced, there.shown == nil,
      moving.scope.collection == there.scope.collection, isMeant
    else { return .givesWay(loss) }
    return .takesPlace
  }

  /// Whether what was deleted is what the account has; an edit meets that, whatever it is.
  private var isMeant: Bool {
    moving.body != nil || moving.base?.version == there.base?.version
  }

  private var loss: DocumentLoss? {
    guard let body = moving.body, !body.hasSameContent(as: there.body) else { return nil }
    return .whole(body, .here, .accountHadOne)
  }
}

extension DocumentValue {
  fileprivate func hasSameContent(as other: DocumentValue?) -> Bool {
    other.map { hasSameContent(as: $0) } ?? false
  }
}
