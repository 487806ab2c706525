import SyncLock

/// What all ways of files share: the store, the server, and where troubles are told.
struct FileContext: Sendable {
  let store: DocumentStore
  let endpoint: any DocumentEndpoint
  let sessions: FileSessions
  let tally: SyncTally
  /// Whose files they are.
  let server: String
  let account: String
  /// What was answered last of the file whose turn it is: one comes after the other.
  private let heard = FileAnswer()

  // MARK: - The server

  /// Asks until there is an answer, as often as one sync may.
  func ask(_ request: FileRequest, _ file: KeptFile) async throws -> EndpointReply<FileEnd> {
    while true {
      if let reply = try await askOnce(request, file) { return reply }
    }
  }

  /// Asks once, when a request may be made; `nil` if that came to nothing, and nobody knows whether
  /// the server did what it was asked.
  ///
  /// - Throws: an `EndpointError` where another server than the documents' own doesn't give its
  ///   content just now.
  func askOnce(_ request: FileRequest, _ file: KeptFile) async throws -> EndpointReply<FileEnd>? {
    let other = request.otherServer
    heard.note(nil, of: file)
    do {
      let session = try await sessions.session(with: other)
      let reply = try await session.askOnce(
        about: file.place.collection, notes: \EndpointReply<FileEnd>.notes
      ) {
        try await endpoint.file(request)
      }
      let answer = reply.map { $0.notes.call?.noted(at: session.seams.now()) }
      heard.note(answer ?? session.lastTrouble, of: file)
      return reply
    } catch let error as DocumentSyncError {
      heard.note(try await sessions.session(with: other).lastTrouble, of: file)
      if let other { throw EndpointError(.unreadable(error.sentence(of: other))) }
      throw error
    }
  }

  /// What is known of a file at the server.
  enum Presence { case there, missing, unknown }

  /// Whether the server has the file, and its content where it says.
  ///
  /// Of two uploads at once, as after a kill in the middle of one, the one that is told may be the
  /// one that the other took the content from.
  func presence(of file: KeptFile) async throws -> Presence {
    var gone: ServerFile?
    while case .there(let there) = try await ask(.find(file.place), file).end, there != gone {
      do {
        let read = FileRequest.read(there, from: 0, count: 1)
        guard case .missing = try await ask(read, file).end else { return .there }
      } catch is EndpointError {
        return .unknown
      }
      // It may have moved meanwhile.
      if gone != nil { break }
      gone = there
    }
    return .missing
  }

  /// Has the server remove a file.
  func remove(_ file: KeptFile) async throws {
    switch try await ask(.remove(file.place), file).end {
    case .missing, .there, .bytes:
      try await set(.removed, file)
      tally.note { $0.filesRemoved += 1 }
    case .unusable(let why): try await delayed(why, file)
    case .refused(let status, let words):
      let refusal = Refusal(status: status, words: words)
      try await refused(.stays, "it stays at the server: \(refusal.sentence)", file)
    }
  }

  // MARK: - The store

  /// Files of which something is to be done.
  func list(
    _ read: @Sendable (FileTable, String, String) throws -> [KeptFile]
  ) async throws -> [KeptFile] {
    try await store.read { [server, account] in
      try read(FileTable(session: $0.session), server, account)
    }
  }

  /// A file stands otherwise, unless somebody else has changed that since it was read.
  func set(_ state: FileTable.State, _ file: KeptFile) async throws {
    try await change { try $0.set(state, file) }
  }

  /// Something is written of files.
  func change<Result: Sendable>(
    _ body: @Sendable (FileTable) throws -> Result
  ) async throws -> Result {
    try await store.sync { try body(FileTable(session: $0.session)) }
  }

  // MARK: - What is told

  /// A server refused it for good.
  func refused(_ state: FileTable.State, _ words: String, _ file: KeptFile) async throws {
    try await change { try $0.set(state, file, words: words) }
    fail(file, words)
  }

  /// It couldn't be done this time, and is tried again by the next sync.
  func delayed(_ words: String, _ file: KeptFile, isWaiting: Bool = false) async throws {
    try await change { try $0.note(words, file) }
    fail(file, words, isWaiting: isWaiting)
  }

  /// Something of a file goes into the report; whether a schedule is to try it again.
  func fail(_ file: KeptFile, _ words: String, isWaiting: Bool = false) {
    tally.fail(
      DocumentReport.Failure(
        name: file.place.document.text, collection: file.place.collection,
        words: "the file \(file.facts.name): \(words)", isRefusal: false, isWaiting: isWaiting),
      by: heard.answer(of: file))
  }
}

/// What was answered of which file.
private final class FileAnswer: Sendable {
  private let last = Locked<(file: Int64, call: EndpointCall?)>((0, nil))

  func note(_ call: EndpointCall?, of file: KeptFile) {
    last.withLock { $0 = (file.number, call) }
  }

  func answer(of file: KeptFile) -> EndpointCall? {
    last.withLock { $0.file == file.number ? $0.call : nil }
  }
}

/// What is said with the documents' own server, and with each other one that contents are read
/// from: each has its own waits, which hold over restarts.
final class FileSessions: Sendable {
  private let own: ServerSession
  private let caller: SessionState.Caller
  private let others = Locked<[String: ServerSession]>([:])

  /// Files are to travel for whoever wants the sync.
  init(_ own: ServerSession, _ caller: SessionState.Caller) {
    (self.own, self.caller) = (own, caller)
  }

  func session(with server: String?) async throws -> ServerSession {
    guard let server else { return own }
    if let known = others.withLock({ $0[server] }) { return known }
    let session = try await ServerSession(own.store, server: server, caller, seams: own.seams)
    return others.withLock { sessions in
      let known = sessions[server] ?? session
      sessions[server] = known
      return known
    }
  }
}

extension DocumentSyncError {
  /// Why a server that only has contents of files doesn't give them just now.
  fileprivate func sentence(of server: String) -> String {
    let why =
      switch self {
      case .mustWait(let until): "that is left alone until \(UnsentReason.time(until.milliseconds))"
      case .unreachable: "that can't be reached"
      case .inTrouble(let status): "that is in trouble (\(status))"
      case .unexpected(let status), .collection(_, let status, _):
        "that answers with status \(status)"
      case .unreadable(let words), .impossible(let words): words
      case .unauthorized, .readOnly: "that doesn't give it"
      }
    return "its content is at \(server): \(why)"
  }
}
