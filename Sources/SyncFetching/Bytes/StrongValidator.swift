package import SyncTransport

extension StrongValidator {
  /// The validator of an answer; `nil` when it has none that proves something.
  package init?(_ answer: ByteAnswer) {
    guard answer.hasProvenValidators else { return nil }
    self.init(etag: answer.etag, lastModified: answer.lastModified)
  }

  /// Whether an answer is of the same state.
  package func isOf(_ answer: ByteAnswer) -> Bool {
    isOfAnswer(etag: answer.etag, lastModified: answer.lastModified)
  }
}
