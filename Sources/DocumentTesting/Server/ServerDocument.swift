package import DocumentSync

/// What a server keeps of one document.
package struct ServerDocument: Sendable, Hashable {
  /// What there is of it.
  package enum Content: Sendable, Hashable {
    /// The document.
    case value(DocumentValue)
    /// The document, which nobody can read; it had this value.
    case scrambled(DocumentValue)
    /// It was deleted.
    case gone
  }

  /// What there is of it.
  package var content: Content
  /// The name of this state of it.
  package let version: DocumentVersion
  /// The moment of its last change, and the number of that change; in their order, changes are
  /// told.
  package let place: ChangeStamp
  /// Whether it was deleted once, and made anew.
  package let isRevived: Bool

  /// Whether it is there, readable or not.
  package var isThere: Bool { content != .gone }
}

/// The moment of a change, by the server's clock, and its number among all changes of the server.
package struct ChangeStamp: Sendable, Hashable, Comparable {
  /// In milliseconds since 1970.
  package let time: Int64
  /// From 1.
  package let number: Int

  /// By their moments, equal ones by their numbers.
  package static func < (one: ChangeStamp, other: ChangeStamp) -> Bool {
    (one.time, one.number) < (other.time, other.number)
  }
}
