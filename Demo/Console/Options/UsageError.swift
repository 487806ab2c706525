/// Something that was asked for in a way that can't be understood.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  /// A sentence without its full stop: what is wrong, and what would be right.
  package var description: String

  /// An error that says this.
  package init(_ description: String) {
    self.description = description
  }

  /// The same, and where more is told: `'baker --help'`.
  package func pointing(to place: String) -> UsageError {
    UsageError(description + (description.hasSuffix("?") ? " See " : "; see ") + place)
  }
}
