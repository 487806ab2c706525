extension DocumentProcessor {
  /// Takes files where they belong, unless the server is in trouble. What goes wrong is told.
  func takeFiles(_ pass: Pass, _ failures: [any Error]) async {
    guard let capabilities = pass.capabilities, capabilities.has(.files),
      failures.allSatisfy({ ($0 as? DocumentSyncError).map { !$0.isOfServer } ?? false })
    else { return }
    let run = FileRun(
      store: store, endpoint: endpoint, talk: pass.talk, tally: pass.tally,
      server: pass.place.server, account: pass.place.account,
      sends: pass.wishes.ways.contains(.push) && !capabilities.isReadOnly,
      fetches: pass.wishes.ways.contains(.pull))
    do {
      try await run.run()
    } catch {
      _ = note(error, pass)
      guard !(error is DocumentSyncError || error is CancellationError) else { return }
      pass.tally.note {
        $0.failures.append(
          DocumentReport.Failure(
            name: "files", collection: "", words: "\(error)", isRefusal: false))
      }
    }
  }
}
