/// Takes files where they belong: after documents were sent and fetched.
///
/// Previews go up and come down before anything else does, then contents, the smallest first; at
/// last what no document names is removed. One request comes after the other.
struct FileRun: Sendable {
  let context: FileContext
  /// The ways that files go.
  let sends: Bool
  let fetches: Bool

  /// How many bytes are asked for at once: what is cut is so much at most.
  static let piece = 1 << 20

  /// Takes all of them as far as they can be.
  ///
  /// - Throws: a ``DocumentSyncError`` that ends it, or `CancellationError`.
  func run() async throws {
    let (hasWork, hasNews) = try await context.store.read { reader in
      let table = FileTable(session: reader.session)
      return (try table.hasWork(), try table.hasNews())
    }
    guard hasWork else { return }
    if hasNews { try await context.change { try $0.takeNews() } }
    try await travel()
    if sends {
      for file in try await context.list({ try $0.removals(of: $1, $2) }) {
        try await context.remove(file)
      }
    }
    try await forgetOld()
  }

  /// What no document has named for long goes.
  func forgetOld() async throws {
    for file in try await context.list({ table, _, _ in try table.forgettable() }) {
      try await forget(file)
    }
  }

  /// Where the server keeps no files, those that were to go there stay, and that is told.
  func stay() async throws {
    guard sends, try await context.store.read({ try FileTable(session: $0.session).hasWork() })
    else {
      return
    }
    try await context.change { try $0.takeNews() }
    for isPreview in [true, false] {
      for file in try await context.list({ try $0.uploads(isPreview, of: $1, $2) }) {
        try await context.delayed("the server keeps no files; it stays here", file)
      }
    }
  }

  private func travel() async throws {
    let (up, down) = (FileUpload(context: context), FileDownload(context: context))
    if sends {
      for file in try await context.list({ try $0.checks(of: $1, $2) }) { try await up.check(file) }
    }
    for isPreview in [true, false] {
      if sends {
        for file in try await context.list({ try $0.uploads(isPreview, of: $1, $2) }) {
          try await up.run(file)
        }
      }
      if fetches {
        for file in try await context.list({ try $0.downloads(isPreview, of: $1, $2) }) {
          try await down.run(file)
        }
      }
    }
  }

  // MARK: - Away

  /// The content goes first, so that nothing is left of it that nobody knows of.
  private func forget(_ file: KeptFile) async throws {
    let digest = file.facts.digest
    let (stands, isNamed) = try await context.store.read { reader in
      let table = FileTable(session: reader.session)
      return (try table.stands(file), try table.isNamed(digest, besides: file.number))
    }
    guard stands else { return }
    if !isNamed {
      try await context.store.files.remove(digest)
      try await context.store.files.discardBeginning(of: digest)
    }
    try await context.change { try $0.forget(file) }
  }
}
