/// Something in a test's script that can't be: an error of the test, not of what it tests.
public enum ScriptProblem: Error, Equatable, CustomStringConvertible {
  /// A call was given an answer of another call's kind.
  case wrongAnswer(call: String, answer: String)
  /// A hold was waited for, and the passes that it may happen in ended without the call.
  case neverReached(place: String, log: [String])

  /// One sentence that says what to mend.
  public var description: String {
    switch self {
    case .wrongAnswer(let call, let answer):
      "the call \(call) was answered with \(answer); give it an answer of its own kind"
    case .neverReached(let place, let log):
      """
      the pass ended without the call \(place) that a hold waits for; \
      the calls were: \(log.joined(separator: ", "))
      """
    }
  }
}
