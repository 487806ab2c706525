/// How it stands with documents, and what became of them.
extension DocumentReplica {
  /// How it stands with a document; `nil` if it isn't known.
  public func status(of id: DocumentID) async throws -> DocumentStatus? {
    try await store.read { try $0.status(of: id) }
  }

  /// How it stands with the store as a whole.
  public func summary() async throws -> StoreSummary { try await store.read { try $0.summary() } }

  /// The life of a document, as far as it's remembered: what happened to it, oldest first, and how
  /// it stands; `nil` if nothing is known of it.
  public func life(of id: DocumentID) async throws -> DocumentLife? {
    try await store.read { try $0.life(of: id) }
  }

  /// What a document was called when it was saved, as long as its id is one that was made for it
  /// until the server gives it a key (``DocumentEndpoint/makesKeys(in:)``); else its id. It's found
  /// by both.
  public func givenName(of id: DocumentID) async throws -> DocumentID {
    try await store.read { try $0.givenName(of: id) }
  }

  /// What the server answered last to the change of a document that is still to be sent: the
  /// request, the status, the fields and the body, without secrets; `nil` if nothing is kept.
  public func lastAnswer(to id: DocumentID) async throws -> EndpointCall? {
    try await store.read { try $0.answer(to: id) }
  }

  /// What gave way in the last 30 days, oldest first.
  ///
  /// - Parameter id: of that document only; of all by default.
  public func lost(of id: DocumentID? = nil) async throws -> [LostChange] {
    try await store.read { try $0.lost(of: id) }
  }

  /// What the server has and what couldn't be stored, by collection and name.
  public func failures() async throws -> [DocumentFailure] {
    try await store.read { try $0.failures() }
  }

  /// Files that aren't where they are to be, and why, by document.
  ///
  /// - Parameters:
  ///   - id: those of that document only; of all by default.
  ///   - limit: so many at most; by default all.
  public func fileTroubles(
    of id: DocumentID? = nil, limit: Int = .max
  ) async throws -> [FileTrouble] {
    try await store.read { try $0.fileTroubles(of: id, limit: limit) }
  }

  /// The last syncs that did something or failed, the latest first; at most 50 are kept.
  public func runs() async throws -> [SyncRun] { try await store.read { try $0.runs() } }

  /// A digest (SHA-256, in hexadecimal) of the newest that is known of each document at its server:
  /// replicas at rest have the same one. Local changes are no part of it.
  public func digest() async throws -> String { try await store.read { try $0.digest() } }

  /// Whether nothing is to be sent, nothing to be decided, and nothing of the server's missing that
  /// couldn't be stored.
  public func isAtRest() async throws -> Bool { try await store.read { try $0.isAtRest() } }
}
