/// An endpoint around another one, which forwards each call: whoever wraps one writes only what
/// differs.
protocol WrappingEndpoint: DocumentEndpoint {
  var inner: any DocumentEndpoint { get }

  /// Makes a call of the endpoint inside. Every call but a push goes through here, unless it goes
  /// to another server than the documents' own. By default it's made as it is.
  ///
  /// - Parameters:
  ///   - date: the server's own time in a reply, see ``CallNotes/date``.
  ///   - ask: makes the call, each time that it's called.
  func call<Reply: Sendable>(
    _ ask: () async throws -> Reply, date: (Reply) -> Int64?
  ) async throws -> Reply
}

extension WrappingEndpoint {
  func call<Reply: Sendable>(
    _ ask: () async throws -> Reply, date: (Reply) -> Int64?
  ) async throws -> Reply {
    try await ask()
  }

  /// What the server can do.
  @concurrent public func capabilities() async throws -> EndpointCapabilities {
    try await call({ try await inner.capabilities() }, date: { _ in nil })
  }

  /// What has changed in a collection.
  @concurrent public func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await call(
      { try await inner.changes(in: collection, from: place) }, date: { $0.notes.date })
  }

  /// What has changed of what a filter lets through.
  @concurrent public func changes(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await call(
      { try await inner.changes(in: collection, from: place, matching: filter) },
      date: { $0.notes.date })
  }

  /// Which documents a filter lets through.
  @concurrent public func ids(
    in collection: String, from place: ChangesPlace, matching filter: CollectionFilter
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await call(
      { try await inner.ids(in: collection, from: place, matching: filter) },
      date: { $0.notes.date })
  }

  /// Why the server's lists can't be filtered so, as the endpoint inside says.
  public func problem(with filter: CollectionFilter) -> String? { inner.problem(with: filter) }

  /// Why the server would never take a document, as the endpoint inside says.
  public func problem(
    with id: DocumentID, _ content: DocumentValue, in collection: String
  ) -> String? {
    inner.problem(with: id, content, in: collection)
  }

  /// Whether the server makes ids, as the endpoint inside says.
  public func makesKeys(in collection: String) -> Bool { inner.makesKeys(in: collection) }

  /// What a member says that names a document, as the endpoint inside says.
  public func reference(
    to id: DocumentID, _ version: DocumentVersion?, in collection: String
  ) -> DocumentValue { inner.reference(to: id, version, in: collection) }

  /// Whether the server keeps files, as the endpoint inside says.
  public var keepsFiles: Bool? { inner.keepsFiles }

  /// Whether the server has addresses for files, as the endpoint inside says.
  public var keepsFilesAtAddresses: Bool { inner.keepsFilesAtAddresses }

  /// The address that a file gets, as the endpoint inside says.
  public func address(ofFile facts: FileFacts, at place: FilePlace) -> String? {
    inner.address(ofFile: facts, at: place)
  }

  /// Whether an address is that of a file, as the endpoint inside says.
  public func isAddress(_ address: String, ofFileAt place: FilePlace) -> Bool {
    inner.isAddress(address, ofFileAt: place)
  }

  /// Has a file stored, found, read or removed.
  @concurrent public func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    // Another server shows nothing of this one, and knows nothing of its accounts.
    if request.otherServer != nil { return try await inner.file(request) }
    return try await call({ try await inner.file(request) }, date: { $0.notes.date })
  }
}
