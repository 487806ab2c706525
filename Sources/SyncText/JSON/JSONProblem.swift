/// Where and why bytes are not the JSON that is accepted here (RFC 8259, without duplicated member
/// names).
package struct JSONProblem: Error, Hashable, Sendable {
  /// What is wrong, as a noun phrase or a clause.
  package let reason: String
  /// The offset in the body of the byte where it was noticed.
  package let offset: Int

  /// Why, and at which byte.
  package init(reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}
