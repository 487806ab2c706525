import DocumentSync

extension PushReply {
  /// Whether the server said yes.
  var isSuccess: Bool {
    end.answer.map { (200...299).contains($0.status) } ?? false
  }

  /// Whether it says that the document isn't there.
  var tellsAbsence: Bool {
    guard let answer = end.answer else { return false }
    if [404, 410].contains(answer.status) { return answer.subject == .document }
    if case .deleted = answer.shown { return [200, 409, 412].contains(answer.status) }
    return false
  }
}

extension PushEnd {
  var answer: PushAnswer? {
    guard case .answered(let answer) = self else { return nil }
    return answer
  }

  /// What the server said for people.
  var words: String { answer?.words ?? "" }

  /// The end, for a sentence.
  var summary: String {
    switch self {
    case .answered(let answer):
      "\(answer.status)" + (answer.words.isEmpty ? "" : " (\(answer.words))")
        + (answer.version.map { ", version \($0)" } ?? "")
    case .unreadable: "what can't be understood"
    case .lost: "no answer"
    case .unreachable: "no server that was reached"
    case .impossible: "no request"
    }
  }
}
