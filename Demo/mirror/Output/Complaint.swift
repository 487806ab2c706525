import CatalogMirror
import Console

extension Streams {
  /// Says what is wrong, on standard error and in the log, as a sentence of this program's.
  static func complain(_ sentence: String) {
    let sentence = Sentence.ending(sentence)
    error("mirror: \(sentence)")
    log(sentence)
  }

  /// Says what is wrong.
  static func complain(_ problem: any Error) {
    complain((problem as? MirrorError)?.told ?? "\(problem)")
  }
}
