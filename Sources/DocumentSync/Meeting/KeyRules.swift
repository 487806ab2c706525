/// Where the ids of a collection's documents come from, and which members name other documents
/// whose ids the server makes.
package struct KeyRules: Sendable {
  /// Whether the server makes them: until a creation was answered, a document has one of this
  /// store's own.
  package var areServers = false
  /// The members by which the server's rows are told from each other: a row with the same values
  /// was made of what was sent. None where nothing but all of its content tells.
  package var natural: [DocumentPath] = []
  /// The members that name a document of another collection, or of the same, and which one that
  /// is.
  package var references: [DocumentPath: String] = [:]
  /// The members of other collections, or of the same, that name a document of this one.
  package var referring: [String: [DocumentPath]] = [:]
  /// What a member says that names a document of a collection, by its id and its version.
  package var written: @Sendable (DocumentID, DocumentVersion?, String) -> DocumentValue = {
    id, _, _ in DocumentValue(id.text)
  }

  /// Documents keep the ids that they have here.
  package init() {}
}

extension DocumentValue {
  /// The ids that a member names: one, or those of an array.
  func ids(at path: DocumentPath) -> [DocumentID] {
    guard let value = self[path] else { return [] }
    return (value.elements ?? [value]).compactMap(\.namedID)
  }

  /// The same, with another name for a document wherever a member names it.
  func naming(
    _ id: DocumentID, as name: DocumentValue, at paths: some Sequence<DocumentPath>
  ) -> DocumentValue {
    paths.reduce(self) { content, path in
      guard let value = content[path] else { return content }
      let named: DocumentValue
      if let elements = value.elements {
        guard elements.contains(where: { $0.namedID == id }) else { return content }
        named = DocumentValue(joining: elements.map { $0.namedID == id ? name : $0 })
      } else {
        guard value.namedID == id else { return content }
        named = name
      }
      return (try? content.setting(path, to: named)) ?? content
    }
  }

  /// The id that it is; a number is one by its digits.
  var namedID: DocumentID? {
    (string ?? integer.map { "\($0)" }).map { DocumentID($0) }
  }
}
