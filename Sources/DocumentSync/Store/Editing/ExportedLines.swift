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

/// What an import did.
public struct ImportSummary: Sendable, Equatable {
  /// How many documents there were.
  public var documents = 0
  /// Of these, how many changed anything.
  public var changed = 0
}

extension StoreEditor {
  /// Saves documents as ``StoreReader/export(_:_:)`` gives them, or as people write them in this
  /// way: one on each line. Empty lines count for nothing. All are saved or, if one line is bad,
  /// none (``DocumentError/badLine(_:_:)``).
  package func importDocuments(
    _ text: some Sequence<UInt8>, _ types: DocumentTypes, of server: String, account: String,
    preparing prepare: (inout DocumentEdit) throws -> Void = { _ in }
  ) throws -> ImportSummary {
    var summary = ImportSummary()
    try session.allOrNothing {
      var (line, number) = ([UInt8](), 0)
      func end() throws {
        number += 1
        guard line.contains(where: { !Self.blanks.contains($0) }) else { return }
        do {
          let document = try types.read(try DocumentValue(bytes: line))
          let scope = DocumentScope(
            server: server, account: account, collection: document.collection)
          let stored = types.stored(
            document.content, over: try reader.stored(document.id)?.body, in: scope.collection)
          var edit = DocumentEdit(document.id, in: scope, stored)
          try prepare(&edit)
          summary.documents += 1
          summary.changed += try save(edit) ? 1 : 0
        } catch let problem where !Self.isOfTheStore(problem) {
          throw DocumentError.badLine(number, "\(problem)")
        }
      }
      for byte in text {
        guard byte == UInt8(ascii: "\n") else {
          line.append(byte)
          continue
        }
        try end()
        line.removeAll(keepingCapacity: true)
      }
      if !line.isEmpty { try end() }
    }
    return summary
  }

  private static let blanks = Set(" \t\r".utf8)

  /// Whether no line is to blame.
  private static func isOfTheStore(_ error: any Error) -> Bool {
    error is DatabaseError || error is CancellationError
  }
}
