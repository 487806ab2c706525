/// Merges text by its lines: edits of both sides are taken where at least one line that both left
/// alone lies between them. Edits that touch each other differently can't be merged.
public struct LinesMerger: MemberMerger {
  /// A merger of text.
  public init() {}

  /// The text with the edits of both; `nil` where they touch, and for what is no text.
  public func merge(
    base: DocumentValue?, here: DocumentValue, there: DocumentValue
  ) -> DocumentValue? {
    guard let base = base?.string, let here = here.string, let there = there.string,
      let lines = LineMerge.merge(
        base: Self.lines(of: base), here: Self.lines(of: here), there: Self.lines(of: there))
    else { return nil }
    return DocumentValue(
      String(decoding: Array(lines.joined(separator: [LineMerge.feed])), as: UTF8.self))
  }

  /// What stands between the line feeds, so that putting them between it again gives the same text.
  private static func lines(of text: String) -> [LineMerge.Line] {
    text.utf8.split(separator: LineMerge.feed, omittingEmptySubsequences: false).map(Array.init)
  }
}
