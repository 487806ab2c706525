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

  /// Says what is to be known before the source is asked.
  static func warn(of invocation: Invocation) {
    let mirror = invocation.mirror
    for warning in AccessOptions.warnings(of: mirror.access, for: mirror.catalog) {
      complain(warning)
    }
  }

  static func sentence(for problem: any Error) -> String {
    if problem is CancellationError { return "it was cancelled; run it again to go on." }
    let told = (problem as? MirrorError)?.told ?? (problem as? PublishError)?.told
    return Sentence.ending(told ?? "\(problem)")
  }
}
