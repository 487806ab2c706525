package import DocumentSync

package struct ServerDocument: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case value(DocumentValue)
    /// The document, which nobody can read; it had this value.
    case scrambled(DocumentValue)
    case gone
  }

  package var content: Content
  /// The name of this state of it.
  package let version: DocumentVersion
  /// The moment of its last change, and the number of that change; in their order, changes are
  /// told.
  package let place: ChangeStamp
  /// Whether it was deleted once, and made anew.
  package let isRevived: Bool

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
