import CatalogMirror
import SyncFiles

extension CatalogWriter {
  /// Which of the entries are catalogs that were published here before, as by what is kept beside
  /// them they are most likely: somebody who now has the catalog elsewhere, or under another name,
  /// may not mean them to be followed. Only files of the folder itself with a catalog's usual
  /// endings are looked at; escaped.
  func formerCatalogs(among entries: [PublishedEntry], in root: Descriptor) -> [String] {
    entries.lazy.map(\.file.path).filter { path in
      guard path.components.count == 1, Self.endings.contains(where: path.string.hasSuffix) else {
        return false
      }
      let state = Array(".\(path.string)\(PublishedNames.stateEnding)".utf8)
      return ((try? root.status(of: state)) ?? nil) != nil
    }.map(\.description)
  }

  private static let endings = [".ndjson", ".json"]
}
