import CatalogMirror
import Console
import SyncEssentials
import SyncFiles
import SyncFolder
import SyncText

/// Where the log and the metrics may not lie: among the files that the program works on, which are
/// a catalog's or are published, and in what a mirror keeps for itself.
struct OutputPlaces {
  /// The folders that are worked on.
  let folders: [String]

  /// A file in a wrong place.
  struct Problem: Error, Equatable {
    /// The option that names it.
    var option: String
    var path: String
    /// What is wrong and what would be right, without a full stop.
    var sentence: String
  }

  /// Looks where the files lie that an invocation writes, whatever links lead there.
  func check(_ invocation: Invocation) throws(Problem) {
    for (option, path) in [
      ("log-file", invocation.logFile), ("metrics", invocation.unattended.metrics),
    ] {
      guard let path, let sentence = problem(with: path) else { continue }
      throw Problem(option: option, path: path, sentence: sentence)
    }
  }

  private func problem(with path: String) -> String? {
    let shown = path.escaped
    let place = Self.place(of: path)
    for folder in folders where place?.starts(with: Self.place(of: folder) ?? [""]) ?? false {
      return "'\(shown)' would lie in '\(folder.escaped)', among the files that "
        + "this is about; name a file elsewhere"
    }
    do throws(FolderError) {
      try MirrorFolder.requireOutsideMirrors(path)
      return nil
    } catch {
      guard case .insideMirror(let mirror) = error.code else { return "\(error)" }
      return "'\(shown)' would lie in .mirror of \(mirror), which is that mirror's own; "
        + "name a file elsewhere"
    }
  }

  /// The names on the way to a path, without links; `nil` where it can't be gone up to its last
  /// name: nothing can be written there either.
  private static func place(of path: String) -> [String]? {
    if let whole = try? SystemFileSystem().resolved(userPath: path) { return names(of: whole) }
    // A link that leads to nothing yet is followed as well.
    guard let place = try? FilePlace(userPath: path) else { return nil }
    return (place.parents + [place.name]).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func names(of path: String) -> [String] {
    path.split(separator: "/").map(String.init)
  }
}

extension Invocation {
  /// The folders that it works on; none where a configuration names them.
  var folders: [String] {
    [mirror.folder, publishing.directory].filter { !$0.isEmpty }
  }
}
