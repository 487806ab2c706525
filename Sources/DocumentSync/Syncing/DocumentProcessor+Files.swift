import SyncLock

extension DocumentProcessor {
  /// Takes files where they belong, once all collections were dealt with. What goes wrong is told,
  /// and so is that the server keeps no files.
  ///
  /// - Throws: `CancellationError`.
  func takeFiles(_ pass: Pass) async throws {
    guard let capabilities = pass.capabilities else { return }
    let count = pass.place.collections.count
    try await pass.ended.wait { $0 == count ? () : nil }
    let context = FileContext(
      store: pass.store, endpoint: endpoint,
      sessions: FileSessions(pass.session, pass.wishes.caller), tally: pass.tally,
      server: pass.place.server, account: pass.place.account)
    let run = FileRun(
      context: context, sends: pass.wishes.pushes && !capabilities.isReadOnly,
      fetches: pass.wishes.pulls)
    do {
      if endpoint.keepsFilesAtAddresses {
        try await takeAddressed(run, pass)
      } else {
        try await capabilities.has(.files) ? run.run() : run.stay()
      }
    } catch let error as CancellationError {
      throw error
    } catch let error as DocumentSyncError {
      throw note(error, pass)
    } catch {
      pass.tally.note {
        $0.failures.append(
          DocumentReport.Failure(
            name: "files", collection: "", words: "\(error)", isRefusal: false))
      }
    }
  }
}

extension DocumentProcessor {
  /// Takes files to their addresses, and sends the documents that got one.
  private func takeAddressed(_ run: FileRun, _ pass: Pass) async throws {
    guard run.sends else { return }
    let latest = Set(
      pass.place.collections.filter { $0.policies.contains(.latest) }.map(\.name))
    let addressed = AddressedFileRun(context: run.context) { latest.contains($0) }
    let namings = try await addressed.bring()
    if !namings.isEmpty {
      try await push(pass)
      try await addressed.goOn(namings)
    }
    try await addressed.remove()
    try await run.forgetOld()
  }
}

extension SyncWishes {
  /// Who wants the sync, for those who talk to servers.
  var caller: SessionState.Caller {
    SessionState.Caller(isPerson: isByHand, overridesWait: overridesWait)
  }
}

extension DocumentProcessor {
  /// What may have been made, and wasn't looked for by the end of a sync, is told as waiting.
  func tellLostCreations(_ item: Item, _ pass: Pass) async throws {
    let scope = pass.place.scope(named: item.id)
    let ids = try await pass.store.sync { editor in
      try editor.lostCreations(in: scope).map { ($0, answer: try editor.reader.answer(to: $0)) }
    }
    pass.tally.mayBeMade(ids, in: item.id)
  }
}

extension DocumentProcessor.Pass {
  /// For how long a server that was in trouble isn't to be asked after it; `nil` where there's
  /// nothing that a later sync could do better.
  var rest: Duration? {
    let report = tally.report
    let mayPass = report.errors.contains(where: \.mayPass)
    return mayPass || report.failures.contains(where: \.isWaiting) ? session.rest : nil
  }
}

extension DocumentProcessor {
  /// What the server can do: as it said last, unless something is to be sent and that is a day ago,
  /// or it took nothing then.
  func capabilities(_ pass: Pass) async throws -> EndpointCapabilities {
    let known = try await store.read { try $0.capabilities(of: pass.place.server) }
    let isOld = known.map { seams.now() - $0.at > 86_400_000 || $0.at > seams.now() } ?? true
    if let known {
      guard isOld || known.said.isReadOnly, pass.wishes.pushes,
        try await hasWork(pass)
      else { return known.said }
    }
    let said = try await pass.session.ask(about: "", notes: { _ in CallNotes() }) {
      try await endpoint.capabilities()
    }
    try await store.sync { try $0.setCapabilities(said, of: pass.place.server) }
    return said
  }
}

extension DocumentProcessor {
  /// Gives a server that lost its data what it lacks, if somebody wants that. What is wrong with
  /// one collection keeps no other from it.
  func republish(_ pass: Pass) async throws {
    guard let wish = pass.wishes.republishing else { return }
    for scope in pass.place.scopes {
      let run = RepublishRun(
        store: pass.store, endpoint: endpoint, session: pass.session, tally: pass.tally,
        scope: scope, wish: wish)
      do {
        try await run.run()
      } catch let error as DocumentSyncError where !error.isOfServer {
        _ = note(error, pass)
      }
    }
  }
}
