/// Where documents travel to and come from: one server as one account sees it.
///
/// An endpoint asks and tells; it decides nothing. What an answer means for a document, what waits,
/// what is tried again and when, its callers decide. So it has no memory either: what it must know
/// to go on with a list stands in the checkpoints and marks that it gave.
///
/// **Who calls it, and in what order.** A sync calls `capabilities()` first, unless they are known
/// from before. It then pushes, and pulls after that. The pages of a list are asked for one after
/// the other, each with the mark of the page before it. Pushes of one collection come one after the
/// other; pushes of different collections, and lists of different ones, may come side by side.
///
/// **No memory on the way.** Lists and looks are asked past all caches: an old list would take back
/// what was pushed since, and an old look would say that it isn't there.
///
/// **Trying again.** An endpoint makes one request for a call and doesn't repeat what was refused
/// or lost: its callers know how long a server wants to be left alone. What they repeat has the
/// same idempotency key. Where an answer leaves open what it means, an endpoint may ask further;
/// and where a server has no place for a document yet, it may make one.
///
/// **Cancelling.** A call whose task is cancelled ends soon. One that reads throws
/// `CancellationError`. One that pushes never throws: it ends as ``PushEnd/unreachable`` only where
/// it is certain that nothing of the request has left, and else as ``PushEnd/lost``, unless the
/// answer is there.
///
/// **Throwing.** What reads throws an ``EndpointError`` where there is no answer that can be used.
/// Nothing else counts as said by the server.
///
/// **Nothing is hidden.** With its answer, and with its error all the more, a call gives its
/// ``CallNotes``: the server's wishes and date, and the whole of what it said, without secrets.
///
/// **Files.** Only an endpoint with the capability ``EndpointCapabilities/Feature/files`` is asked
/// for them: one request after the other, and nothing twice at once. A file's content never
/// changes: one that is stored again after a lost answer is the same.
///
/// `EndpointContract` of the module `DocumentTesting` checks an endpoint against all of this.
public protocol DocumentEndpoint: Sendable {
  /// What the server can do. It makes one request at most.
  @concurrent func capabilities() async throws -> EndpointCapabilities

  /// What has changed in a collection, or all that is in it, page by page.
  ///
  /// - From ``ChangesPlace/beginning`` it lists every document that is there.
  /// - From ``ChangesPlace/since(_:)`` it lists what has changed since a checkpoint; or says that
  ///   nothing has, or that the server forgot what the checkpoint speaks of; or, if it can't tell
  ///   changes, lists every document.
  /// - From ``ChangesPlace/page(_:)`` it goes on with a list.
  ///
  /// A document may come several times, the newest state last. Whatever changes while pages are
  /// asked for comes with one of the later pages, or after the checkpoint of the last one.
  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer>

  /// What ``changes(in:from:)`` tells, of those documents alone that a filter lets through. By
  /// default there are no such lists.
  ///
  /// Since a checkpoint it tells what has changed and is let through now. That a document isn't any
  /// more, or was deleted, it needn't tell.
  @concurrent func changes(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer>

  /// Which documents a filter lets through, as a list of everything: at best by their ids alone
  /// (``ChangePage``, `named`). By default they come as a list of what they say.
  ///
  /// - Parameters:
  ///   - collection: which collection.
  ///   - place: the beginning, or a page.
  ///   - filter: which of its documents are meant.
  @concurrent func ids(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer>

  /// Why the server's lists can't be filtered so; `nil`, the default, if nothing is known against
  /// it. It's for a place behind a colon.
  func problem(with filter: CollectionFilter) -> String?

  /// Why the server would never take a document, or would give back another one than it was given;
  /// `nil`, the default, if nothing is known against it. It is asked before anything is stored
  /// here.
  ///
  /// - Returns: what is wrong, for a place behind a colon.
  func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String?

  /// Whether the server makes the ids of a collection's documents. By default it takes those that
  /// they have.
  ///
  /// Where it does, the id of a creation is this store's own, and isn't sent: the answer names the
  /// server's (``PushAnswer``, `madeAs`), under which the document is known from then on.
  func makesKeys(in collection: String) -> Bool

  /// What a member says that names a document of a collection. By default its id, as a string.
  ///
  /// - Parameters:
  ///   - id: what the document is called.
  ///   - version: the document's version; `nil` where it isn't known.
  ///   - collection: where it is.
  func reference(
    to id: DocumentID, _ version: DocumentVersion?, in collection: String
  ) -> DocumentValue

  /// Asks for one document to be stored, removed or shown.
  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd>

  /// Asks the same of several documents in one request. They are of different documents, and not
  /// more than its capabilities say.
  ///
  /// Each part is answered by itself, in the order of sending. By default they are pushed one by
  /// one.
  @concurrent func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd>

  /// Whether the server keeps files beside documents; `nil`, the default, where only the server
  /// itself knows (``EndpointCapabilities/Feature/files``).
  var keepsFiles: Bool? { get }

  /// Whether the server has no files of its own, but addresses at which files are stored: a member
  /// of a document then has the address in place of the file. By default it hasn't.
  ///
  /// Then its files are stored and removed with ``FilePlace/member``, and neither found nor read;
  /// one that is stored again is the same.
  var keepsFilesAtAddresses: Bool { get }

  /// The address that such a file gets, if that is known before it's stored. By default it isn't.
  func address(ofFile facts: FileFacts, at place: FilePlace) -> String?

  /// Whether an address that a member has is that of such a file, which goes when the member is
  /// taken out, whoever brought it there. By default none is.
  func isAddress(_ address: String, ofFileAt place: FilePlace) -> Bool

  /// Has a file stored, found, read or removed. By default there are none.
  @concurrent func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd>
}

extension DocumentEndpoint {
  /// Its lists can't be filtered.
  @concurrent public func changes(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    throw EndpointError(.impossible("the lists of this server can't be filtered"))
  }

  /// What they say comes with them.
  @concurrent public func ids(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await changes(in: collection, from: place, matching: filter)
  }

  /// Nothing is wrong.
  public func problem(with filter: CollectionFilter) -> String? { nil }

  /// Nothing is wrong.
  public func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String? { nil }

  /// It takes those that documents have.
  public func makesKeys(in collection: String) -> Bool { false }

  /// Its id, as a string.
  public func reference(
    to id: DocumentID, _ version: DocumentVersion?, in collection: String
  ) -> DocumentValue { DocumentValue(id.text) }

  /// Pushes them one by one. None that comes after one without an answer is sent.
  @concurrent public func push(batch requests: [PushRequest]) async -> EndpointReply<BatchEnd> {
    var parts: [EndpointReply<PushEnd>] = []
    var isOver = false
    for request in requests {
      let part = isOver ? EndpointReply<PushEnd>(.unreachable) : await push(request)
      if case .answered = part.end {} else { isOver = true }
      parts.append(part)
    }
    return EndpointReply<BatchEnd>(.parts(parts))
  }

  /// Only the server knows.
  public var keepsFiles: Bool? { nil }

  /// It has no such addresses.
  public var keepsFilesAtAddresses: Bool { false }

  /// The service says so when it has the file.
  public func address(ofFile facts: FileFacts, at place: FilePlace) -> String? { nil }

  /// It's known of none.
  public func isAddress(_ address: String, ofFileAt place: FilePlace) -> Bool { false }

  /// No file can be had here.
  @concurrent public func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    throw EndpointError(.impossible("this server keeps no files"))
  }
}

/// Gives the value of the field `Authorization` of a request: `Basic …`, `Bearer …`; `nil` for a
/// request that says nothing of who makes it.
///
/// It is asked for every request, so that credentials may be renewed between two of them. Requests
/// go on side by side, so it may be asked again before it has answered. An ``EndpointError`` that
/// it throws becomes the error of the call; anything else means that no request can be made.
public typealias AuthorizationSource = @Sendable () async throws -> String?

/// An endpoint whose server answers queries of its own.
public protocol QueriedEndpoint: DocumentEndpoint {
  /// The documents of a collection for which a query holds, in its order, as the one page of a list
  /// of changes: nothing is said of any other document.
  ///
  /// - Parameters:
  ///   - collection: which collection.
  ///   - query: what is asked, as the server knows it: names and values.
  ///   - sort: by which members it's sorted, a `-` before those that go downwards.
  /// - Returns: that page; `withoutLists` where its server answers no queries after all.
  /// - Throws: ``EndpointError``, `CancellationError`.
  @concurrent func documents(
    in collection: String, matching query: [(name: String, value: String)], sortedBy sort: [String]
  ) async throws -> EndpointReply<ChangesAnswer>

  /// Has the service do something by name, with a collection or one of its documents.
  ///
  /// - Returns: what it answered.
  /// - Throws: ``EndpointError``, `CancellationError`.
  @concurrent func callProcedure(
    _ name: String, of collection: String, id: DocumentID?, sending body: DocumentValue?
  ) async throws -> DocumentValue
}

/// What a server can do for those that sync with it.
public struct EndpointCapabilities: Sendable, Hashable {
  /// One thing that a server can do.
  public enum Feature: Sendable, Hashable, CaseIterable {
    /// It stores and removes on the condition that it still has a certain version, or none.
    case preconditions
    /// It's known to hold conditions of changes, and of nothing else: not that of a removal, and
    /// not that a document which is made isn't there yet.
    case conditionsOfChangesAlone
    /// It tells what has changed since a checkpoint. Else each list is of all documents.
    case changes
    /// Among the changes it tells deletions. Else a list of all documents is needed to notice them.
    case tombstones
    /// It knows a request again by its idempotency key, and answers it as before.
    case idempotencyKeys
    /// It tells a document that was made anew under the id of a deleted one from a changed one.
    case revivals
    /// It stores files beside documents.
    case files
  }

  package var features: Set<Feature>
  /// How many documents may be pushed in one request; 1 without batches.
  package var batchEntries: Int
  /// How many bytes of content such a request may have, if there is a limit.
  package var batchBytes: Int?
  /// Whether it takes no changes at present.
  package var isReadOnly: Bool

  /// What a server can do.
  public init(
    features: Set<Feature>, batchEntries: Int = 1, batchBytes: Int? = nil, isReadOnly: Bool = false
  ) {
    self.features = features
    self.batchEntries = max(1, batchEntries)
    self.batchBytes = batchBytes
    self.isReadOnly = isReadOnly
  }

  /// Whether nothing is removed that has another version by now, and nothing made twice.
  var holdsAllConditions: Bool { has(.preconditions) && !has(.conditionsOfChangesAlone) }

  /// What is read at the server before it's changed or removed there.
  var looksFirst: LookAhead {
    guard has(.preconditions) else { return .changes }
    return has(.conditionsOfChangesAlone) ? .deletions : .never
  }

  /// Whether a document that is sent once more, since no answer came, is never made twice.
  var makesOnce: Bool { holdsAllConditions || has(.idempotencyKeys) }

  package func has(_ feature: Feature) -> Bool { features.contains(feature) }
}
