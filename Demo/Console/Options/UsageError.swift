/// Something that was asked for in a way that can't be understood.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// A sentence without its full stop: what is wrong, and what would be right.
  public var description: String

  /// An error that says this.
  public init(_ description: String) {
    self.description = description
  }

  /// The same, and where more is told: `'baker --help'`.
  public func pointing(to place: String) -> UsageError {
    UsageError(description + (description.hasSuffix("?") ? " See " : "; see ") + place)
  }
}
