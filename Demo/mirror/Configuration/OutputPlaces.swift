import CatalogMirror
import Console

/// Where the log and the metrics may not lie: among the files that the program works on, which are
/// a catalog's or are published, and in what a mirror keeps for itself.
struct OutputPlaces {
  let folders: [String]

  /// A file in a wrong place.
  struct Problem {
    var option: String
    var path: String
    /// What is wrong and what would be right, without a full stop.
    var sentence: String
  }

  /// The first of the files that an invocation writes that lies in a wrong place, whatever links
  /// lead there.
  func problem(of invocation: Invocation) -> Problem? {
    for (option, path) in [
      ("log-file", invocation.logFile), ("metrics", invocation.unattended.metrics),
    ] {
      guard let path, let sentence = problem(with: path) else { continue }
      return Problem(option: option, path: path, sentence: sentence)
    }
    return nil
  }

  private func problem(with path: String) -> String? {
    let shown = path.escaped
    // What can't be gone up to its last name can't be written either.
    let names = OutputFile(path).names
    for folder in folders
    where names?.starts(with: OutputFile(folder).names ?? [""]) ?? false {
      return "'\(shown)' would lie in '\(folder.escaped)', among the files that "
        + "this is about; name a file elsewhere"
    }
    do throws(FolderError) {
      try FolderMirror.requireOutsideMirrors(path)
      return nil
    } catch {
      guard case .insideMirror(let mirror) = error.code else { return "\(error)" }
      return "'\(shown)' would lie in .mirror of \(mirror), which is that mirror's own; "
        + "name a file elsewhere"
    }
  }
}

extension Invocation {
  /// The folders that it works on; none where a configuration names them.
  var folders: [String] {
    [mirror.folder, publishing.directory].filter { !$0.isEmpty }
  }
}
