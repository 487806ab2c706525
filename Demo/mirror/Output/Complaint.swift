import CatalogMirror
import Console

extension Streams {
  /// Writes an error as one sentence to standard error.
  static func complain(_ problem: any Error) {
    let told = (problem as? MirrorError)?.told ?? "\(problem)"
    error("mirror: \(Sentence.ending(told))")
  }
}
