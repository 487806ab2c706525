public import Foundation

// An alert shows the sentence of an error, and not its type and number.

extension SyncError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

extension SyncFailure: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

extension ListProblem: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

extension TimedOut: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}
