/// What is to be done with an entry after an event, in the same transaction.
enum EntryStep: Sendable, Equatable {
  /// It stays in the outbox, as it says itself.
  case stays
  /// It stays: the server has this revision's content, which is the base of what was changed since.
  case takesBase(Revision, DocumentVersion)
  /// It stays: the server has removed the document, and what was saved since is made anew. Its
  /// burial is to be remembered, for when it leaves without having been sent.
  case losesBase
  case leaves(Departure)
  /// It stays; what the server has was shown and must now be met with the local change.
  case meets
  /// It stays; what the server has must be asked for, or awaited from the next pull.
  case asks
  /// Nothing happened, since the answer to a request under way says more; tell it again after that.
  case later
}

/// Why an entry leaves the outbox.
enum Departure: Sendable, Equatable {
  /// The server has its content, under this version.
  case accepted(Revision, DocumentVersion)
  /// The document is gone at the server, which calls its deletion so. It's to be remembered, for a
  /// document that is made anew under the same id.
  case deleted(DocumentVersion?)
  /// It was deleted here before any server can have had it.
  case neverSent
  /// The last value of the server was saved again.
  case reverted
  /// Where it met the server's value, the server's value won.
  case gaveWay
}
