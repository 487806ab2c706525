public import Foundation
public import SyncEngine

// An alert shows the sentence of an error, and not its type and number.

extension SyncError: LocalizedError {
  /// What happened and what to do, for people: of a cause its own sentence, where it has one. All
  /// that the engine says is in the words of ``SyncSentence/translation``, if there is one.
  public var errorDescription: String? { sentence { $0.words }.localized }
}

extension SyncFailure: LocalizedError {
  /// What failed, of which item, and why, for people: of the cause its own sentence, where it has
  /// one. All that the engine says is in the words of ``SyncSentence/translation``.
  public var errorDescription: String? {
    let stage = SyncSentence.stage(stage).localized
    let (key, cause) = (key.map { "\($0)" }, cause.words.ended)
    return SyncSentence.failure(stage: stage, key: key, cause: cause).localized
  }
}

extension ListProblem: LocalizedError {
  /// The sentence of ``description``, or its translation.
  public var errorDescription: String? { sentence.localized }
}

extension TimedOut: LocalizedError {
  /// The sentence of ``description``, or its translation.
  public var errorDescription: String? { sentence.localized }
}

extension MissingMethod: LocalizedError {
  @usableFromInline package var errorDescription: String? { sentence.localized }
}

extension Error {
  /// What it says of itself to people; or, if it says nothing, how its type describes it.
  var words: String {
    if let own = (self as? any LocalizedError)?.errorDescription { return own }
    if self is CancellationError { return SyncSentence.callCancelled.localized }
    return isFoundations ? localizedDescription : "\(self)"
  }

  /// Whether it is what Foundation throws where a call is cancelled: `URLSession`, or Cocoa where a
  /// person cancelled something.
  var isCancellationOfFoundation: Bool {
    if (self as? URLError)?.code == .cancelled || (self as? CocoaError)?.code == .userCancelled {
      return true
    }
    guard isFoundations else { return false }
    let error = self as NSError
    return (error.domain, error.code) == (NSURLErrorDomain, NSURLErrorCancelled)
      || (error.domain, error.code) == (NSCocoaErrorDomain, CocoaError.userCancelled.rawValue)
  }

  /// Whether Foundation has a sentence for it. `as? NSError` doesn't tell: on Apple's systems any
  /// error is one.
  private var isFoundations: Bool {
    type(of: self) is NSError.Type || self is any CustomNSError
      || self is DecodingError || self is EncodingError
  }
}
