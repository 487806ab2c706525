extension DocumentProcessor {
  /// What the server can do: as it said last, unless something is to be sent and that is a day ago,
  /// or it took nothing then.
  func capabilities(_ pass: Pass) async throws -> EndpointCapabilities {
    let known = try await store.read { try $0.capabilities(of: pass.place.server) }
    let isOld = known.map { seams.now() - $0.at > 86_400_000 || $0.at > seams.now() } ?? true
    if let known {
      guard isOld || known.said.isReadOnly, pass.wishes.ways.contains(.push),
        try await hasWork(pass)
      else { return known.said }
    }
    let said = try await pass.talk.ask(about: "", notes: { _ in CallNotes() }) {
      try await endpoint.capabilities()
    }
    try await store.sync { try $0.setCapabilities(said, of: pass.place.server) }
    return said
  }
}
