import Console
import DocumentSync

/// What is to be done about documents that are gone at the server, and so many of them that none
/// was removed here.
enum HeldBackText {
  static func line(_ removals: HeldBackRemovals) -> String {
    let (count, held) = (removals.count, removals.held)
    let outside = removals.outsideFilter
    let what =
      switch outside {
      case 0: "are gone at the server"
      case count: "aren't among what its filter lets through"
      default: "are gone at the server, or aren't among what its filter lets through (\(outside))"
      }
    return "\(count) of \(held) documents of \(removals.collection.escaped) \(what),"
      + " and none was removed here; if that is right, say so with"
      + " 'documents sync --max-delete \(count < held ? "\(count)" : "all")'"
      + (outside == count
        ? "" : "; if the server lost them, 'documents republish' sends them again")
  }
}
