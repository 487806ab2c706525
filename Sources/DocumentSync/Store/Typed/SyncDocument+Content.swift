extension SyncDocument {
  /// The document that a content is of.
  /// - Throws: What reading the type throws.
  init(_ content: DocumentValue, id: DocumentID) throws {
    self = try Self.complete(content, id).decode()
  }

  /// Whether a content may be of this type: it says so, or it says nothing, where the collection
  /// tells the type.
  static func isType(of content: DocumentValue) -> Bool {
    guard let type = content[typeMember] else { return true }
    return type == DocumentValue(documentType)
  }

  /// What is to be stored, in place of what is there; without the id, which the store has apart.
  /// - Throws: What reading and writing the type throws: what can't be read isn't changed by guess.
  func content(over old: DocumentValue?, id: DocumentID) throws -> DocumentValue {
    guard let old else {
      let content = try DocumentValue.encode(self).setting(Self.idMember, to: nil)
      guard content[Self.typeMember] == nil else { return content }
      return try content.setting(Self.typeMember, to: DocumentValue(Self.documentType))
    }
    let content = try Self.complete(old, id).updating(with: self)
      .setting(Self.idMember, to: old[Self.idMember])
    // Where the collection tells the type, it isn't written for that alone.
    return old[Self.typeMember] == nil ? try content.setting(Self.typeMember, to: nil) : content
  }

  /// A content with what the type may want to read of it.
  private static func complete(
    _ content: DocumentValue, _ id: DocumentID
  ) throws(DocumentProblem) -> DocumentValue {
    var complete = content
    if content[idMember] == nil {
      complete = try complete.setting(idMember, to: DocumentValue(id.text))
    }
    if content[typeMember] == nil {
      complete = try complete.setting(typeMember, to: DocumentValue(documentType))
    }
    return complete
  }
}
