public import SyncEssentials

// An alert shows the sentence of an error, and not its type and number.

extension KeyProblem: LocalizedError {
  /// The sentence that ``description`` ends.
  public var errorDescription: String? { "The key \(description)." }
}
