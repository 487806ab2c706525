public import Foundation
public import SyncEngine

// An alert shows the sentence of an error, and not its type and number.

extension SyncError: LocalizedError {
  /// What happened and what to do, for people: of a cause its own sentence, where it has one.
  public var errorDescription: String? {
    guard code == .failed, let failures = report.passes.last?.failures, let first = failures.first
    else { return description }
    return Self.sentence(saying: first.sentence, ofFailures: failures.count)
  }
}

extension SyncFailure: LocalizedError {
  /// What failed, of which item, and why, for people: of the cause its own sentence, where it has
  /// one.
  public var errorDescription: String? { sentence }

  fileprivate var sentence: String {
    let item = key.map { " for \($0)" } ?? ""
    return "\(stage.words) failed\(item): \(cause.sentence)".ended
  }
}

extension ListProblem: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

extension TimedOut: LocalizedError {
  /// The sentence of ``description``.
  public var errorDescription: String? { description }
}

extension Error {
  /// What it says of itself to people; or, if it says nothing, how its type describes it.
  var sentence: String {
    if let own = (self as? any LocalizedError)?.errorDescription { return own }
    if self is CancellationError { return "it was cancelled" }
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

extension SyncStage {
  /// The stage as the beginning of a sentence.
  fileprivate var words: String {
    switch self {
    case .begin: "Getting ready"
    case .fetchSourceList: "Fetching the list"
    case .localKeys: "Looking at what is held"
    case .removeLocalItems: "Removing what vanished"
    case .itemsToUpdate: "Finding out what changed"
    case .prepareDownload: "Preparing the downloads"
    case .downloadPreviews: "Downloading previews"
    case .downloadContents: "Downloading"
    case .commitDownloads: "Storing what was downloaded"
    case .end: "Finishing"
    }
  }
}
