public import Foundation
import SyncFolder

// An alert shows the sentence of an error, and not its type and number.

extension MirrorError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

extension PublishError: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}
