import SyncDatabase

extension StoreReader {
  /// The life of a document: what happened to it, and how it stands; `nil` if nothing is known of
  /// it.
  package func life(of id: DocumentID) throws -> DocumentLife? {
    let document = try stored(id)
    let traces = try TraceTable(session: session).traces(of: id)
    guard document != nil || !traces.isEmpty else { return nil }
    var moments = traces.map {
      DocumentLife.Moment(time: $0.time, event: $0.form.event, lost: $0.lost)
    }
    if let entry = document?.entry, entry.isNeverSent,
      !traces.contains(where: { $0.revision == entry.number })
    {
      let since = try OutboxTable(session: session).since(entry)
      moments.append(
        DocumentLife.Moment(time: since ?? session.now, event: entry.firstEvent, lost: 0))
    }
    return DocumentLife(
      id: id, moments: moments,
      status: try document.map { DocumentStatus($0, try reason(of: $0)) },
      files: try fileTroubles(of: id))
  }
}
