extension Meeting {
  /// What a server says of a document, in a list of changes or in answer to a send.
  package enum There: Sendable, Hashable {
    /// It wasn't told of: it is as it was.
    case unchanged
    /// The server has this copy; not necessarily another one than is known here.
    case present(ServerCopy)
    /// The document was deleted, and another one made under its id: only where an endpoint tells
    /// that from a change.
    case revived(ServerCopy)
    /// The server had it deleted.
    case deleted
    /// The server has no document and no tombstone: it was restored from a backup, flushed, or is
    /// another one.
    case forgotten
  }
}
