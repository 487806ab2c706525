public import Foundation

// An alert shows the sentence of an error, and not its type and number.

extension MirrorError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

extension PublishError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

extension KeyProblem: LocalizedError {
  /// The sentence that ``description`` ends.
  public var errorDescription: String? { "The key \(description)." }
}

extension KeyCollision: LocalizedError {
  /// The sentence that ``description`` ends.
  public var errorDescription: String? { "The key \(description)." }
}

extension LocatorProblem: LocalizedError {
  /// The sentence that ``description`` ends.
  public var errorDescription: String? { "The URL \(description)." }
}
