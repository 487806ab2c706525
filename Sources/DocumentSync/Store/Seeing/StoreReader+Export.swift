import SyncDatabase
private import SyncText

extension StoreReader {
  /// A document as people see it, with its id and its type; `nil` if there is none, or none that
  /// may be read.
  package func shown(_ id: DocumentID, _ types: DocumentTypes) throws -> DocumentValue? {
    guard let content = try document(id), let scope = try stored(id)?.scope else { return nil }
    return types.shown(content, id, in: scope.collection)
  }

  /// Hands every document that may be read to `body`, each as one line of JSON with a line feed at
  /// its end, with its id and its type; in the order in which they came to be here.
  ///
  /// Of what is in conflict it's the local one. What is deleted isn't there. Never more than one
  /// document is held.
  package func export(_ types: DocumentTypes, _ body: ([UInt8]) throws -> Void) throws {
    let own = try session.isOwn("documents.scope")
    try session.connection.query(
      """
      SELECT documents.id, collection, body FROM documents
      JOIN scopes ON scopes.number = documents.scope
      WHERE body IS NOT NULL AND NOT documents.hidden AND NOT scopes.hidden AND \(own)
      ORDER BY documents.number
      """
    ) { row in
      let content = try DocumentValue(row, "body").withoutTimes
      let id = DocumentID(try row.text("id"))
      let shown = types.shown(content, id, in: try row.text("collection"))
      try body(shown.line)
    }
  }
}

extension DocumentValue {
  /// The value on one line, with a line feed at its end.
  fileprivate var line: [UInt8] {
    // In a string they stand as escapes; between its tokens, JSON needs none.
    var line = json.written.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
