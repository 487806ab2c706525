extension DocumentProcessor {
  /// What may have been made, and wasn't looked for by the end of a sync, is told as waiting.
  func tellLostCreations(_ item: Item, _ pass: Pass) async throws {
    let scope = pass.place.scope(named: item.id)
    let ids = try await store.sync { try $0.lostCreations(in: scope) }
    pass.tally.mayBeMade(ids, in: item.id)
  }
}

extension DocumentProcessor.Pass {
  /// For how long a server that was in trouble isn't to be asked after it; `nil` where there's
  /// nothing that a later sync could do better.
  var rest: Duration? {
    let report = tally.report
    let mayPass = report.errors.contains(where: \.mayPass)
    return mayPass || report.failures.contains(where: \.isWaiting) ? talk.rest : nil
  }
}
