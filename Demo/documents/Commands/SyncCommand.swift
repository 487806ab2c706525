import Access
import Console
import DocumentEndpoints
import DocumentSync

/// `documents sync STORE` and `documents republish STORE`
struct SyncCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let request = invocation.syncing
    let open = try await OpenStore.open(invocation.store, for: request)
    let lock = try ProgramLock(ofStore: invocation.store)
    defer { lock.release() }
    try open.check(request)
    open.warn(request)
    if request.retries {
      if invocation.words.isEmpty { try await open.replica.retryAll() }
      for word in invocation.words { try await open.retry(DocumentID(word)) }
    }
    let outcome = try await open.outcome(request) { replica in
      guard invocation.command == .republish else { return try await replica.sync(request.wishes) }
      return try await replica.republish(newer: request.republishesOlder, request.wishes)
    }
    await open.replica.close()
    return await Streams.telling { [isJSON = invocation.isJSON] in outcome.tell(isJSON: isJSON) }
  }
}

extension OpenStore {
  func sync(_ request: SyncRequest) async throws -> SyncOutcome {
    try await outcome(request) { try await $0.sync(request.wishes) }
  }

  fileprivate func retry(_ id: DocumentID) async throws {
    if try await replica.retry(id) { return }
    guard try await replica.status(of: id) != nil else { throw ProgramProblem.unknown(id) }
    Streams.error("documents: nothing of '\(id.text.printable)' is set aside.")
  }

  fileprivate func outcome(
    _ request: SyncRequest, of sync: (DocumentReplica) async throws -> DocumentReport
  ) async throws -> SyncOutcome {
    let start = ContinuousClock.now
    let (report, problem): (DocumentReport, DocumentSyncError?)
    do {
      (report, problem) = (try await sync(replica), nil)
    } catch let failure as DocumentSyncFailure {
      (report, problem) = (failure.report, failure.reason)
    }
    let took = ContinuousClock.now - start
    let summary = try await replica.summary()
    return SyncOutcome(
      report: report, problem: problem, server: setup.server,
      access: Password.refused(of: setup, request),
      names: try await names(of: report), counts: summary.counts,
      waiting: try await WaitingDocuments(summary, of: replica),
      open: OpenWork(summary, unstored: try await replica.failures().count),
      isFiltered: !summary.filtered.isEmpty, canRepublish: setup.canRepublish, took: took)
  }

  /// What those documents are called by whom saved them that failed and have ids made for them.
  private func names(of report: DocumentReport) async throws -> [String: String] {
    var names: [String: String] = [:]
    for name in report.failures.map(\.name) {
      names[name] = try await replica.givenName(of: DocumentID(name)).text
    }
    return names
  }

  /// Says what is to be known before the server is asked.
  func warn(_ request: SyncRequest) {
    for warning in AccessOptions.warnings(of: request.access, for: setup.server) {
      Streams.error("documents: \(Sentence.ending(warning))")
    }
  }

  /// The latest edit can't be told of documents whose edits carry no times.
  func check(_ request: SyncRequest) throws {
    guard request.policies.contains(.latest) else { return }
    let others = setup.kinds.filter { !setup.isLatest($0.collection) }.map(\.name)
    guard let first = others.first else { return }
    throw UsageError(
      "edits of \(others.joined(separator: ", ")) carry no times, so that the latest can't be told;"
        + " 'documents init … --type \(first) --latest' stamps them from then on")
  }
}
