extension Meeting {
  /// What is known here of a document.
  package enum Here: Sendable, Hashable {
    /// No document of that id, or one that was never more than a tombstone.
    case nothing
    /// As the server had it last. Becomes `edited` or `deleted` when a person changes it.
    case synced(ServerCopy)
    /// Made here; the server isn't known to have it.
    case created(body: DocumentValue, sent: UnansweredSends)
    /// The server's copy was changed to `body`, which is in the outbox.
    case edited(base: ServerCopy, body: DocumentValue, sent: UnansweredSends)
    /// Deleted here, which the server isn't known to have done.
    /// - base: The last copy that is known; `nil` if the document was made here and its sends had
    ///   no answer, so that it is to be asked for before it is deleted.
    case deleted(base: ServerCopy?, sent: UnansweredSends)

    /// What is known after a decision was carried out.
    package func after(_ step: Decision.Step) -> Here {
      switch step {
      case .nothing, .park, .giveUp: self
      case .acknowledge(let copy), .apply(let copy), .settle(let copy): .synced(copy)
      case .remove, .dropTombstone: .nothing
      case .rebase(let base, let body): .edited(base: base, body: body, sent: .none)
      case .makeAgain(let body): .created(body: body, sent: .none)
      case .keepTombstone(let base): .deleted(base: base, sent: .none)
      }
    }
  }
}
