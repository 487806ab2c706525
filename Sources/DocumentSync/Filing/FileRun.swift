/// Takes files where they belong: after documents were sent and fetched.
///
/// Previews go up and come down before anything else does, then contents, the smallest first; at
/// last what no document names is removed. One request comes after the other.
struct FileRun: Sendable {
  let desk: FileDesk
  /// The ways that files go.
  let sends: Bool
  let fetches: Bool

  /// How many bytes are asked for at once: what is cut is so much at most.
  static let piece = 1 << 20

  /// Takes all of them as far as they can be.
  ///
  /// - Throws: a ``DocumentSyncError`` that ends it, or `CancellationError`.
  func run() async throws {
    let (hasWork, hasNews) = try await desk.store.read { reader in
      let table = FileTable(session: reader.session)
      return (try table.hasWork(), try table.hasNews())
    }
    guard hasWork else { return }
    if hasNews { try await desk.change { try $0.takeNews() } }
    try await travel()
    if sends {
      for file in try await desk.list({ try $0.removals(of: $1, $2) }) { try await remove(file) }
    }
    for file in try await desk.list({ table, _, _ in try table.forgettable() }) {
      try await forget(file)
    }
  }

  /// Where the server keeps no files, those that were to go there stay, and that is told.
  func stay() async throws {
    guard sends, try await desk.store.read({ try FileTable(session: $0.session).hasWork() }) else {
      return
    }
    try await desk.change { try $0.takeNews() }
    for isPreview in [true, false] {
      for file in try await desk.list({ try $0.uploads(isPreview, of: $1, $2) }) {
        try await desk.delayed("the server keeps no files; it stays here", file)
      }
    }
  }

  private func travel() async throws {
    let (up, down) = (FileUpload(desk: desk), FileDownload(desk: desk))
    if sends {
      for file in try await desk.list({ try $0.checks(of: $1, $2) }) { try await up.check(file) }
    }
    for isPreview in [true, false] {
      if sends {
        for file in try await desk.list({ try $0.uploads(isPreview, of: $1, $2) }) {
          try await up.run(file)
        }
      }
      if fetches {
        for file in try await desk.list({ try $0.downloads(isPreview, of: $1, $2) }) {
          try await down.run(file)
        }
      }
    }
  }

  // MARK: - Away

  private func remove(_ file: KeptFile) async throws {
    switch try await desk.ask(.remove(file.place), file).end {
    case .missing, .there, .bytes:
      try await desk.set(.removed, file)
      desk.tally.note { $0.filesRemoved += 1 }
    case .unusable(let why): try await desk.delayed(why, file)
    case .refused(let status, let words):
      let refusal = Refusal(status: status, words: words)
      try await desk.refused(.stays, "it stays at the server: \(refusal.sentence)", file)
    }
  }

  /// The content goes first, so that nothing is left of it that nobody knows of.
  private func forget(_ file: KeptFile) async throws {
    let digest = file.facts.digest
    let (stands, isNamed) = try await desk.store.read { reader in
      let table = FileTable(session: reader.session)
      return (try table.stands(file), try table.isNamed(digest, besides: file.number))
    }
    guard stands else { return }
    if !isNamed {
      try await desk.store.files.remove(digest)
      try await desk.store.files.discardBeginning(of: digest)
    }
    try await desk.change { try $0.forget(file) }
  }
}
