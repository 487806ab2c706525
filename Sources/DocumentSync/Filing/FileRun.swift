/// Takes files where they belong: after documents were sent and fetched.
///
/// Previews go up and come down before anything else does, then contents, the smallest first; at
/// last what no document names is removed. One request comes after the other.
struct FileRun: Sendable {
  let store: DocumentStore
  let endpoint: any FileEndpoint
  let talk: ServerTalk
  let tally: SyncTally
  /// Whose files they are.
  let server: String
  let account: String
  /// The ways that files go.
  let sends: Bool
  let fetches: Bool

  /// How many bytes are asked for at once: what is cut is so much at most.
  static let piece = 1 << 20

  /// Takes all of them as far as they can be.
  ///
  /// - Throws: a ``DocumentSyncError`` that ends it, or `CancellationError`.
  func run() async throws {
    let (hasWork, hasNews) = try await store.read { reader in
      let table = FileTable(session: reader.session)
      return (try table.hasWork(), try table.hasNews())
    }
    guard hasWork else { return }
    if hasNews {
      try await store.sync { try FileTable(session: $0.session).takeNews() }
    }
    for isPreview in [true, false] {
      if sends {
        for file in try await list({ try $0.uploads(isPreview, of: $1, $2) }) {
          try await upload(file)
        }
      }
      if fetches {
        for file in try await list({ try $0.downloads(isPreview, of: $1, $2) }) {
          try await download(file)
        }
      }
    }
    if sends {
      for file in try await list({ try $0.removals(of: $1, $2) }) { try await remove(file) }
    }
    for file in try await list({ table, _, _ in try table.forgettable() }) {
      try await forget(file)
    }
  }

  // MARK: - Up

  private func upload(_ file: KeptFile) async throws {
    guard let bytes = try await store.files.bytes(of: file.facts.digest),
      Int64(bytes.count) == file.facts.size
    else { return try await miss(file) }
    if file.isTried, case .there = try await ask(.find(file.place), file).end {
      return try await set(.settled, file)
    }
    try await change { try $0.tries(file.number) }
    var isAgain = false
    let reply = try await talk.ask(about: file.place.collection, notes: \FileReply.notes) {
      if isAgain {
        // The answer to the first one may have been lost.
        let found = try await endpoint.file(.find(file.place))
        if case .there = found.end { return found }
      }
      isAgain = true
      return try await endpoint.file(.store(file.place, file.facts, bytes))
    }
    switch reply.end {
    case .there: try await set(.settled, file)
    case .refused(let status, let words):
      try await set(.refused, file)
      fail(file, Refusal(status: status, words: words).sentence)
    case .missing, .bytes: fail(file, "the server has no place for it")
    }
  }

  /// What was to go up isn't here. If it was sent before, the server may have it; else it's
  /// dropped.
  private func miss(_ file: KeptFile) async throws {
    guard !file.isTried else { return try await set(.down, file) }
    try await change { try $0.forget(file.number) }
    fail(file, "its content isn't here any more, and it isn't sent; attach it again")
  }

  // MARK: - Down

  private func download(_ file: KeptFile) async throws {
    let (shelf, digest) = (store.files, file.facts.digest)
    if try await shelf.size(of: digest) == file.facts.size { return try await set(.settled, file) }
    // Where the server doesn't have it yet, whoever attached it hasn't sent it yet.
    guard case .there(let there) = try await ask(.find(file.place), file).end else { return }
    guard there.digest == digest, there.size == file.facts.size else {
      return fail(file, "the server has another content under its name")
    }
    guard try await fetch(there, file) else { return }
    if try await shelf.finish(digest) {
      try await set(.settled, file)
    } else {
      fail(file, "what came isn't what its digest says; it's fetched again")
    }
  }

  /// Brings what is missing. Answers whether all is here.
  private func fetch(_ there: ServerFile, _ file: KeptFile) async throws -> Bool {
    let (shelf, digest) = (store.files, file.facts.digest)
    var held = try await shelf.beginning(of: digest)
    if held > there.size {
      try await shelf.discardBeginning(of: digest)
      held = 0
    }
    while held < there.size {
      let reply = try await ask(.read(there, from: held, count: Self.piece), file)
      guard case .bytes(let bytes, let offset) = reply.end, !bytes.isEmpty else {
        fail(file, "the server doesn't give its content")
        return false
      }
      if offset != held {
        try await shelf.discardBeginning(of: digest)
        held = 0
      }
      guard offset == held, held + Int64(bytes.count) <= there.size else {
        try await shelf.discardBeginning(of: digest)
        fail(file, "the server gives other bytes than it was asked for")
        return false
      }
      try await shelf.append(bytes, to: digest)
      held += Int64(bytes.count)
    }
    return true
  }

  // MARK: - Away

  private func remove(_ file: KeptFile) async throws {
    switch try await ask(.remove(file.place), file).end {
    case .missing, .there, .bytes: try await set(.removed, file)
    case .refused(let status, let words):
      try await set(.removed, file)
      fail(file, "it stays at the server: " + Refusal(status: status, words: words).sentence)
    }
  }

  /// The content goes first, so that nothing is left of it that nobody knows of.
  private func forget(_ file: KeptFile) async throws {
    let digest = file.facts.digest
    let isNamed = try await store.read {
      try FileTable(session: $0.session).isNamed(digest, besides: file.number)
    }
    if !isNamed {
      try await store.files.remove(digest)
      try await store.files.discardBeginning(of: digest)
    }
    try await change { try $0.forget(file.number) }
  }

  // MARK: - What they have in common

  private func ask(_ request: FileRequest, _ file: KeptFile) async throws -> FileReply {
    try await talk.ask(about: file.place.collection, notes: \FileReply.notes) {
      try await endpoint.file(request)
    }
  }

  private func list(
    _ read: @Sendable (FileTable, String, String) throws -> [KeptFile]
  ) async throws -> [KeptFile] {
    try await store.read { [server, account] in
      try read(FileTable(session: $0.session), server, account)
    }
  }

  private func set(_ state: FileTable.State, _ file: KeptFile) async throws {
    try await change { try $0.set(state, file.number) }
  }

  private func change(_ body: @Sendable (FileTable) throws -> Void) async throws {
    try await store.sync { try body(FileTable(session: $0.session)) }
  }

  private func fail(_ file: KeptFile, _ words: String) {
    tally.note {
      $0.failures.append(
        DocumentReport.Failure(
          name: file.place.document.text, collection: file.place.collection,
          words: "the file \(file.facts.name): \(words)", isRefusal: false))
    }
  }
}
