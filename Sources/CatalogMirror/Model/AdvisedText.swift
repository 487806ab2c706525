/// A sentence and its advice as the index keeps them: one text, with the advice's name in brackets
/// at its end. Texts of earlier versions have none.
struct AdvisedText: Equatable, Sendable {
  var sentence: String
  var advice: MirrorAdvice?

  init(_ sentence: String, _ advice: MirrorAdvice?) {
    self.sentence = sentence
    self.advice = advice
  }

  var kept: String { advice.map { sentence + Self.mark($0) } ?? sentence }

  init(kept text: String) {
    let advice = MirrorAdvice.allCases.first { text.hasSuffix(Self.mark($0)) }
    self.init(advice.map { String(text.dropLast(Self.mark($0).count)) } ?? text, advice)
  }

  private static func mark(_ advice: MirrorAdvice) -> String { " (\(advice.rawValue))" }
}
