import Access
import CatalogMirror
import CatalogPublishing
import Console

extension Streams {
  /// Says what is wrong, on standard error and in the log, as a sentence of this program's.
  static func complain(_ sentence: String) {
    let sentence = Sentence.ending(sentence)
    error("mirror: \(sentence)")
    log(sentence)
  }

  static func complain(_ problem: any Error) {
    complain(sentence(for: problem))
  }

  /// Says loudly what is dangerous in what is asked for.
  static func warn(of invocation: Invocation) {
    guard !invocation.mirror.access.verifiesServers else { return }
    complain(AccessOptions.insecureWarning)
  }

  static func sentence(for problem: any Error) -> String {
    if problem is CancellationError { return "it was cancelled; run it again to go on." }
    let told = (problem as? MirrorError)?.told ?? (problem as? PublishError)?.told
    return Sentence.ending(told ?? "\(problem)")
  }
}
