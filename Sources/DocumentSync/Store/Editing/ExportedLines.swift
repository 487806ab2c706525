import SyncDatabase
private import SyncText

extension StoreReader {
  package func shown(_ id: DocumentID, _ types: DocumentTypes) throws -> DocumentValue? {
    guard let content = try document(id), let document = try stored(id) else { return nil }
    return types.shown(content, document.id, in: document.scope.collection)
  }

  package func export(_ types: DocumentTypes, _ body: ([UInt8]) throws -> Void) throws {
    let own = try session.isOwn("documents.scope")
    try session.connection.query(
      """
      SELECT documents.id, collection, body FROM documents
      JOIN scopes ON scopes.number = documents.scope
      WHERE body IS NOT NULL AND \(StoreSchema.isSeen) AND \(own)
      ORDER BY documents.number
      """
    ) { row in
      let content = try DocumentValue(row, "body").withoutTimes
      let id = DocumentID(try row.text("id"))
      let shown = types.shown(content, id, in: try row.text("collection"))
      try body(shown.line)
    }
  }

  /// The documents of all accounts, each line saying whose it is:
  /// `{"server":…,"account":…,"document":{…}}`. An import takes none of them for a document.
  package func exportAllAccounts(
    _ types: DocumentTypes, _ body: ([UInt8]) throws -> Void
  ) throws {
    try session.connection.query(
      """
      SELECT documents.id, server, account, collection, body FROM documents
      JOIN scopes ON scopes.number = documents.scope
      WHERE body IS NOT NULL AND \(StoreSchema.isSeen)
      ORDER BY documents.owner, documents.number
      """
    ) { row in
      let account = try row.text("account")
      let shown = types.shown(
        try DocumentValue(row, "body").withoutTimes, DocumentID(try row.text("id")),
        in: try row.text("collection"))
      let line = DocumentValue(joining: [
        ObjectMember(name: .init("server"), value: DocumentValue(try row.text("server"))),
        ObjectMember(
          name: .init("account"), value: account.isEmpty ? .null : DocumentValue(account)),
        ObjectMember(name: .init("document"), value: shown),
      ])
      try body(line.line)
    }
  }
}

extension DocumentValue {
  /// Whether it's a line of an export of all accounts, and no document.
  fileprivate var isOfAllAccounts: Bool {
    self["id"] == nil && self["account"] != nil && self["document"]?.isObject ?? false
  }

  fileprivate var line: [UInt8] {
    // In a string they stand as escapes; between its tokens, JSON needs none.
    var line = json.written.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    line.append(UInt8(ascii: "\n"))
    return line
  }
}

package struct ImportSummary: Sendable, Equatable {
  package var documents = 0
  package var changed = 0
}

extension StoreEditor {
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
          let value = try DocumentValue(bytes: line)
          guard !value.isOfAllAccounts else { throw DocumentProblem.ofAllAccounts }
          let document = try types.read(value)
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
