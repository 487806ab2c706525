import CatalogMirror
import Console

/// Mirrors of which one lies in the folder of another.
extension ConfigurationSource {
  private struct Place {
    var part: ConfigurationFile.Part
    var line: Int
    /// The names of the folder's path, as it's written: links aren't followed.
    var names: [String]

    init?(_ part: ConfigurationFile.Part) {
      guard let line = part.last("folder"), let folder = line.setting.value else { return nil }
      self.part = part
      self.line = line.number
      names = URL(filePath: folder).standardizedFileURL.path.split(separator: "/").map(String.init)
    }

    /// The way from another folder to this one; `nil` where it doesn't lie there.
    func way(from outer: Place) -> String? {
      guard names.count > outer.names.count, names.starts(with: outer.names) else { return nil }
      return names.dropFirst(outer.names.count).joined(separator: "/")
    }
  }

  /// Makes sure that a mirror whose folder lies in that of another is left out by that one's
  /// filters: else each would meet the other's files.
  func checkNesting(in file: ConfigurationFile) throws {
    let places = file.parts.compactMap(Place.init)
    for inner in places {
      for outer in places {
        guard let way = inner.way(from: outer) else { continue }
        let scope = try mirror(outer.part, of: file).invocation.mirror.scope
        guard !scope.leavesOut(directory: way) else { continue }
        throw file.problem(
          at: inner.line,
          """
          folder: it lies in that of [\(outer.part.name)]; use one elsewhere, or have that mirror \
          leave it out: write exclude = /\(way)/ below [\(outer.part.name)]
          """)
      }
    }
  }
}
