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
    let desk = FileDesk(
      store: store, endpoint: endpoint, talks: FileTalks(pass.talk, pass.wishes.caller),
      tally: pass.tally,
      server: pass.place.server, account: pass.place.account)
    let run = FileRun(
      desk: desk, sends: pass.wishes.ways.contains(.push) && !capabilities.isReadOnly,
      fetches: pass.wishes.ways.contains(.pull))
    do {
      try await capabilities.has(.files) ? run.run() : run.stay()
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

extension SyncWishes {
  /// Who wants the sync, for those who talk to servers.
  var caller: TalkState.Caller {
    TalkState.Caller(isPerson: isByHand, overridesWait: overridesWait)
  }
}
