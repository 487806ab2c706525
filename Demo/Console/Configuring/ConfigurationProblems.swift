/// What is wrong with a configuration: all of it is told at once.
public struct ConfigurationProblems: Sendable {
  /// The names of the parts that something is wrong with.
  public private(set) var parts: Set<String> = []
  private var errors: [UsageError] = []

  /// None.
  public init() {}

  /// Does something that may find a mistake in a part, which then joins the others.
  public mutating func collect(of part: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as UsageError {
      errors.append(error)
      parts.insert(part)
    }
  }

  /// Throws one ``UsageError`` that tells all mistakes, a line each; nothing for none.
  public func throwAll() throws {
    guard !errors.isEmpty else { return }
    throw UsageError(errors.map(\.description).joined(separator: "\n"))
  }
}
