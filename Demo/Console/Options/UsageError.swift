/// Something that was asked for in a way that can't be understood.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  /// A sentence without its full stop: what is wrong, and what would be right.
  package var description: String

  /// An error that says this.
  package init(_ description: String) {
    self.description = description
  }

  /// The same, with more at its end.
  package func adding(_ more: String) -> UsageError {
    // Behind a question a sentence of its own.
    guard description.hasSuffix("?"), more.hasPrefix("; ") else {
      return UsageError(description + more)
    }
    let rest = more.dropFirst(2)
    return UsageError("\(description) \(rest.prefix(1).uppercased())\(rest.dropFirst())")
  }
}
