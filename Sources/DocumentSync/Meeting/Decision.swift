/// What is to be done where a document met the server's, what is lost by it, and by whose word.
package struct Decision: Sendable, Hashable {
  package let step: Step
  /// What gave way, to be kept apart.
  package let lost: [DocumentLoss]
  /// By whose word.
  package let ground: Ground

  init(_ step: Step, lost: [DocumentLoss] = [], by ground: Ground) {
    self.step = step
    self.lost = lost
    self.ground = ground
  }

  /// What is to be done with the copy here.
  package enum Step: Sendable, Hashable {
    /// Nothing: what waits to be sent goes on waiting, or is sent at last if it was in conflict.
    /// What the server said before counts no more, so that nobody decides for a copy that it
    /// doesn't have.
    case nothing
    /// Note another version of what is here already. Nobody needs to be told.
    case acknowledge(ServerCopy)
    /// Take the server's copy. An edit, if there was one, leaves the outbox.
    case apply(ServerCopy)
    /// Take the document away, and its edit out of the outbox.
    case remove
    /// Note the server's copy as what the edit stands on, and `body` as the edit. It is sent again,
    /// in its old place.
    case rebase(base: ServerCopy, body: DocumentValue)
    /// The edit is at the server: it leaves the outbox, and nobody needs to be told.
    case settle(ServerCopy)
    /// Send the document as a new one.
    case makeAgain(body: DocumentValue)
    /// Note the server's copy as the one that is to be deleted.
    case keepTombstone(base: ServerCopy)
    /// The deletion is at the server: it leaves the outbox.
    case dropTombstone
    /// Leave edit and copy beside each other until somebody decides. Nothing is sent.
    case park(DocumentConflict)
    /// As ``park(_:)``, since the edit was overtaken each time it was sent.
    case giveUp(DocumentConflict)
  }

  /// By whose word it was decided.
  package enum Ground: Sendable, Hashable {
    /// There was nothing to decide: one side at most had changed.
    case onlyOneSide
    /// What the server has was sent from here.
    case ownSend
    /// Both sides came to the same.
    case agreement
    /// What was sent gave way to what the server answered that it has stored.
    case answer
    /// A deletion here wins against everything.
    case deletion
    /// These policies were asked, and the last of them had the last word.
    case policies([ConflictPolicy.Name])
  }
}
