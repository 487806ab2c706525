/// A column by which rows hang on one other each, of which the payload names some under another
/// one, while it doesn't say that they left the one on which they hang.
package struct CrowdedLink: Sendable, Hashable {
  package var table: String
  package var column: String
}

/// The crowded links that were found in one sync. Those that a table of links can take the place of
/// are none any more once it begins anew.
final class CrowdedLinks {
  private(set) var found: Set<CrowdedLink> = []

  /// Whether one of these is new.
  func add(_ links: Set<CrowdedLink>) -> Bool {
    defer { found.formUnion(links) }
    return !links.isSubset(of: found)
  }
}
