import SyncText

/// How the lines after the first of a NDJSON catalog are read.
struct CatalogLines: Sendable {
  /// Where the body came from.
  var catalog: URLReference
  /// What relative URLs start from.
  var base: URLReference
  /// Whether the first line is an entry, and no header.
  var beginsWithEntry: Bool
  var most: Int
}

/// A line of a catalog that was read while the body came.
package struct ReadLine: Hashable, Sendable {
  package var entry: ListedEntry
  /// Its position among the entries of the page, counted from 1.
  package var position: UInt32
}
