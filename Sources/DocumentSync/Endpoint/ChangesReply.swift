/// Where a list of changes begins or goes on.
public enum ChangesPlace: Sendable, Hashable {
  /// With the first document that there is.
  case beginning
  /// After what was known at a checkpoint, which says how much of a collection is known here: an
  /// endpoint gives it with a page and gets it back, maybe years later.
  ///
  /// Only its endpoint reads it. All that it needs to go on stands in it: a time or a revision, and
  /// that by which it will notice that the server forgot: a generation, an identity.
  case since(_ checkpoint: String)
  /// With the next page of a list: an endpoint gives such a mark with a page and gets it back for
  /// the next one. It means nothing once the list has ended, or has begun anew.
  case page(_ mark: String)
}

/// What a server says of the changes in a collection.
public enum ChangesAnswer: Sendable, Hashable {
  /// Nothing has changed since the checkpoint, which goes on to count. Only where one was given.
  case unchanged
  /// Some of what there is to tell.
  case page(ChangePage)
  /// The server has no lists: what others change is learned of single documents alone.
  case withoutLists
  /// The checkpoint, or the mark, means nothing (any more): the server was flushed or restored, is
  /// another one, or doesn't remember that far. The list is to be begun anew.
  case forgot
}

/// A part of a list of documents, in the order in which they are to be applied.
public struct ChangePage: Sendable, Hashable {
  /// What holds the rows of a list in their places.
  package enum Order: Sendable, Hashable {
    /// Each document comes on one of its pages, whatever changes meanwhile.
    case firm
    /// Documents that come or go meanwhile shift others over the pages' ends, so that some are
    /// missed. So many there are in all, if the page says so.
    case shifting(total: Int64?)
  }

  /// What the list that a page is of speaks for.
  public enum Extent: Sendable, Hashable {
    /// What has changed since a checkpoint.
    case changes
    /// All documents of the collection: those that none of its pages names aren't there.
    case everything
  }

  /// What the list speaks for; the same on all its pages.
  package var extent: Extent
  package var documents: [DocumentChange]
  /// Documents of which it says that they are there, and nothing else.
  package var named: [DocumentID] = []
  /// What stood among them and can't be read. It doesn't end the list. The checkpoint goes past
  /// what has an id, whose document can be asked for with a look; what has none is met again, since
  /// no checkpoint from there on is kept.
  package var unreadable: [UnreadableEntry]
  /// What counts once this page and all before it are applied; `nil` where the list's order allows
  /// none yet, and at the end of a list by an endpoint that can't tell changes. In the middle of a
  /// list of everything it speaks for what was told so far: what isn't there any more, only the
  /// list's end shows.
  package var checkpoint: String?
  /// Where the list goes on; `nil` if this is its end.
  package var next: String?
  package var order = Order.firm

  /// A part of a list.
  ///
  /// - Parameters:
  ///   - extent: what the list speaks for; the same on all its pages.
  ///   - entries: documents, and what the server has of each.
  ///   - named: documents of which only the id is told: that they are there.
  ///   - unreadable: what stood among them and can't be read: whose it is, if that can be read; its
  ///     place among the entries of the page, from 0; and why, for a place behind a colon.
  ///   - checkpoint: what counts once this page and all before it are applied; `nil` where the
  ///     list's order allows none yet, and at the end of a list by an endpoint that can't tell
  ///     changes.
  ///   - next: where the list goes on; `nil` if this is its end.
  public init(
    _ extent: Extent, of entries: [(id: DocumentID, state: DocumentState)],
    named: [DocumentID] = [],
    unreadable: [(id: DocumentID?, place: Int, reason: String)] = [], checkpoint: String? = nil,
    next: String? = nil
  ) {
    self.init(
      extent: extent, documents: entries.map { DocumentChange(id: $0.id, state: $0.state) },
      unreadable: unreadable.map {
        UnreadableEntry(id: $0.id, place: $0.place, reason: $0.reason)
      }, checkpoint: checkpoint, next: next)
    self.named = named
  }

  package init(
    extent: Extent, documents: [DocumentChange], unreadable: [UnreadableEntry] = [],
    checkpoint: String? = nil, next: String? = nil
  ) {
    self.extent = extent
    self.documents = documents
    self.unreadable = unreadable
    self.checkpoint = checkpoint
    self.next = next
  }
}

/// What a server says of one document in a list.
package struct DocumentChange: Sendable, Hashable {
  package let id: DocumentID
  package let state: DocumentState

  package init(id: DocumentID, state: DocumentState) {
    self.id = id
    self.state = state
  }
}

/// An entry of a list that can't be read as a document.
package struct UnreadableEntry: Sendable, Hashable {
  /// Whose it is, if that can be read.
  package let id: DocumentID?
  /// Its place among the entries of its page, from 0.
  package let place: Int
  /// Why it can't be read, for a place behind a colon.
  package let reason: String

  /// An entry that can't be read.
  package init(id: DocumentID?, place: Int, reason: String) {
    self.id = id
    self.place = place
    self.reason = reason
  }
}
