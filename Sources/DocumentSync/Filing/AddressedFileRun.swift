/// Takes files to addresses of their own: after a document was sent, its files are, and then the
/// members that are to name them get their addresses. What no member names any more is removed
/// after that was sent, too. One request comes after the other.
struct AddressedFileRun: Sendable {
  let context: FileContext
  /// Whether documents of a collection carry when each of their members changed.
  let stamps: @Sendable (String) -> Bool

  /// A member that got the address of a file, and what it had before.
  struct Naming: Sendable {
    let file: KeptFile
    let member: String
    let before: DocumentValue?
  }

  /// Takes files there, as far as they can be.
  ///
  /// - Returns: the members that got an address, which are to be sent.
  /// - Throws: a ``DocumentSyncError`` that ends it, or `CancellationError`.
  func bring() async throws -> [Naming] {
    guard try await context.store.read({ try FileTable(session: $0.session).hasWork() }) else {
      return []
    }
    for file in try await context.list({ try $0.orphans(of: $1, $2) }) {
      try await context.change { try $0.drop(file) }
      context.fail(file, "its document is gone, and it isn't sent; its content stays for 30 days")
    }
    var namings: [Naming] = []
    for file in try await context.list({ try $0.addressedUploads(of: $1, $2) }) {
      if let naming = try await bring(file) { namings.append(naming) }
    }
    return namings
  }

  /// Where an edit that gave a member its address gave way to another edit, and the member is as
  /// it was before, the next sync goes on with its file.
  func goOn(_ namings: [Naming]) async throws {
    try await context.store.sync { editor in
      for naming in namings {
        guard let body = try editor.reader.stored(naming.file.place.document)?.body,
          body[naming.member] == naming.before
        else { continue }
        try FileTable(session: editor.session).goesAgain(naming.file)
      }
    }
  }

  /// Removes what no member names any more.
  ///
  /// - Throws: a ``DocumentSyncError`` that ends it, or `CancellationError`.
  func remove() async throws {
    for file in try await context.list({ try $0.addressedRemovals(of: $1, $2) }) {
      try await remove(file)
    }
  }

  // MARK: - There

  private func bring(_ file: KeptFile) async throws -> Naming? {
    guard let content = try await context.store.files.content(of: file.facts.digest),
      content.size == file.facts.size
    else {
      try await context.change { try $0.forget(file) }
      context.fail(file, "its content isn't here any more, and it isn't sent; attach it again")
      return nil
    }
    let address = context.endpoint.address(ofFile: file.facts, at: file.place)
    guard try await context.change({ try $0.tries(file, at: address) }) else { return nil }
    var place = file.place
    // A service that remembers what it answered would take the same file of another document, or
    // attached again, for one that it has.
    place.idempotencyKey = DocumentID.uuid7().text
    for _ in 0..<TryBudget().tries {
      let request = FileRequest.store(place, file.facts, content)
      if let reply = try await context.askOnce(request, file) {
        return try await ended(reply.end, file)
      }
    }
    try await context.delayed(
      "it couldn't be sent this time; a later sync tries it again", file, isWaiting: true)
    return nil
  }

  private func ended(_ end: FileEnd, _ file: KeptFile) async throws -> Naming? {
    switch end {
    case .there(let there):
      context.tally.note { $0.filesSent += 1 }
      return try await name(file, at: there.location)
    case .refused(let status, let words):
      let refusal = Refusal(status: status, words: words)
      try await context.refused(.refused, refusal.sentence, file)
    case .missing, .bytes: try await context.delayed("the server has no place for it", file)
    case .unusable(let why): try await context.delayed(why, file)
    }
    return nil
  }

  /// Gives the member the address, in one transaction with the note that the file is there.
  private func name(_ file: KeptFile, at address: String) async throws -> Naming? {
    try await context.store.sync { editor in
      let table = FileTable(session: editor.session)
      // Somebody may have taken it out meanwhile: then it's removed there.
      guard try table.stands(file), let member = file.place.member,
        let document = try editor.reader.stored(file.place.document), let body = document.body
      else {
        try table.isThere(file, at: address)
        return nil
      }
      var edit = DocumentEdit(
        document.id, in: document.scope, try body.setting(member, to: DocumentValue(address)))
      edit.stamps = stamps(document.scope.collection)
      try table.settle(file, at: address)
      guard try editor.save(edit) else { return nil }
      return Naming(file: file, member: member, before: body[member])
    }
  }

  // MARK: - Away

  private func remove(_ file: KeptFile) async throws {
    if try await isNamed(file) { return try await context.change { try $0.stays(file) } }
    guard file.place.address != nil else {
      return try await context.refused(
        .stays, "the server may have it, and didn't say where; it can't be removed there", file)
    }
    try await context.remove(file)
  }

  /// Whether its document names it, as after a deletion that was given up.
  private func isNamed(_ file: KeptFile) async throws -> Bool {
    guard let member = file.place.member, let address = file.place.address else { return false }
    return try await context.store.read {
      try $0.stored(file.place.document)?.body?[member] == DocumentValue(address)
    }
  }
}
