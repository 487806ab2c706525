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
/// **Files.** Where documents may have files, it is a ``FileEndpoint`` in more than name.
///
/// `EndpointContract` of the module `DocumentTesting` checks an endpoint against all of this.
public protocol DocumentEndpoint: FileEndpoint {
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
  ) async throws -> ChangesReply

  /// Why the server would never take a document, or would give back another one than it was given;
  /// `nil`, the default, if nothing is known against it. It is asked before anything is stored
  /// here.
  ///
  /// - Returns: what is wrong, for a place behind a colon.
  func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String?

  /// Asks for one document to be stored, removed or shown.
  @concurrent func push(_ request: PushRequest) async -> PushReply

  /// Asks the same of several documents in one request. They are of different documents, and not
  /// more than ``EndpointCapabilities/batchEntries``.
  ///
  /// Each part is answered by itself, in the order of sending. By default they are pushed one by
  /// one.
  @concurrent func push(batch requests: [PushRequest]) async -> BatchReply
}

extension DocumentEndpoint {
  /// Nothing is wrong.
  public func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String? { nil }

  /// Pushes them one by one. None that comes after one without an answer is sent.
  @concurrent public func push(batch requests: [PushRequest]) async -> BatchReply {
    var parts: [PushReply] = []
    var isOver = false
    for request in requests {
      let part = isOver ? PushReply(.unreachable) : await push(request)
      if case .answered = part.end {} else { isOver = true }
      parts.append(part)
    }
    return BatchReply(parts: parts)
  }
}

/// Gives the value of the field `Authorization` of a request: `Basic …`, `Bearer …`; `nil` for a
/// request that says nothing of who makes it.
///
/// It is asked for every request, so that credentials may be renewed between two of them. Requests
/// go on side by side, so it may be asked again before it has answered. An ``EndpointError`` that
/// it throws becomes the error of the call; anything else means that no request can be made.
public typealias AuthorizationSource = @Sendable () async throws -> String?
