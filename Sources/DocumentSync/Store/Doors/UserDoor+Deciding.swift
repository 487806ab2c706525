extension UserDoor {
  /// Deletes a document: it's gone at once for everybody who reads. If a server may have it, that
  /// is told; what no server can have leaves no trace. There is no way back.
  ///
  /// - Parameter others: documents whose changes must have succeeded before.
  @discardableResult
  package func delete(_ id: DocumentID, after others: Set<DocumentID> = []) throws -> Bool {
    let others = try OrderCheck(shelf: shelf).others(of: id, after: others)
    return try shelf.change(id, in: nil) { document, counter in
      document.deleted(after: others, &counter)
    } ?? false
  }

  /// Takes the local copy of a document away, of which no server is told. While a change of it
  /// waits to be sent, it's an error.
  @discardableResult
  package func drop(_ id: DocumentID) throws -> Bool {
    try shelf.change(id, in: nil) { document, _ in
      guard document.entry == nil else { throw DocumentStoreProblem.isToBeSent(id) }
      document.dropped()
      return true
    } ?? false
  }

  /// Has a change of a document sent again that was set aside, and those of its files that a server
  /// refused, or has no more. Answers whether there is anything to try.
  @discardableResult
  package func retry(_ id: DocumentID) throws -> Bool {
    let table = FileTable(session: session)
    let files = try table.retry(id) + table.doubt(of: id)
    return try retryChange(id) || files > 0
  }

  /// Has all changes sent again that were set aside, and what servers refused of files. Answers how
  /// many. What may have been made waits for the look, unless it's named: see ``retry(_:)``.
  @discardableResult
  package func retryAll() throws -> Int {
    var count = try FileTable(session: session).retry()
    try OutboxList(session: session).forEachSetAside { count += try retryChange($0) ? 1 : 0 }
    return count
  }

  /// Has a change sent again that was set aside.
  func retryChange(_ id: DocumentID) throws -> Bool {
    try shelf.change(id, in: nil) { document, counter in document.retryWanted(&counter) } ?? false
  }

  /// Somebody decided between a document and the server's. It's an error if there was nothing to
  /// decide.
  @discardableResult
  package func resolve(
    _ id: DocumentID, _ resolution: DocumentConflict.Resolution
  ) throws -> Decision {
    let decision = try shelf.change(id, in: nil) { document, counter in
      document.resolved(resolution, &counter)
    }
    guard let decision = decision ?? nil else { throw DocumentStoreProblem.notInConflict(id) }
    return decision
  }
}
