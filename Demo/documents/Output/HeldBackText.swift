import Console
import DocumentSync

/// What is to be done about documents that are gone at the server, and so many of them that none
/// was removed here.
enum HeldBackText {
  /// - Parameter canRepublish: whether what a server lost can be sent again: not where it makes the
  ///   keys of any type itself.
  static func line(_ removals: HeldBackRemovals, canRepublish: Bool) -> String {
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
      + (outside == count ? "" : "; if the server lost them, " + Self.again(canRepublish))
  }

  private static func again(_ canRepublish: Bool) -> String {
    canRepublish
      ? "'documents republish' sends them again"
      : "they can't be made there again under the same keys, which it makes itself: what 'documents"
        + " export' prints, 'documents import' makes anew in a new store"
  }
}
