extension ConfigurationReader {
  /// The value of an entry: as it stands, but for a path, which is seen from the file's directory,
  /// so that it leads to one place wherever the program is started.
  func value(of entry: INIText.Entry, in file: ConfigurationFile) throws -> String {
    let isPath = isPath(entry.key)
    if !own.verbatim.contains(entry.key), let doubt = ValueDoubt(entry.value, isPath: isPath) {
      throw file.problem(at: entry.line, "\(entry.key): \(doubt)")
    }
    if isPath { return file.place(entry.value) }
    // A value of another kind that may be a file's, with a sign before it.
    let placeholder = program.table.option(entry.key, for: command)?.placeholder ?? ""
    guard placeholder.hasSuffix("|@FILE"), entry.value.hasPrefix("@") else { return entry.value }
    return "@" + file.place(String(entry.value.dropFirst()))
  }

  private func isPath(_ key: String) -> Bool {
    if own.paths.contains(key) { return true }
    switch program.table.option(key, for: command)?.kind {
    case .file, .directory: return true
    case .text, .words, nil: return false
    }
  }
}

extension ConfigurationFile {
  /// A path of this file as it holds everywhere; nothing stays nothing.
  func place(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/") else { return path }
    return "\(directory)/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
  }
}

/// Why somebody hardly meant a value as it stands in a file, where it goes to the end of its line.
enum ValueDoubt: Equatable, CustomStringConvertible {
  case quotes
  /// Behind it stands what looks like a remark, after this sign.
  case remark(Character)
  /// A path ends with a blank.
  case blank
  /// A path begins with a shell's sign for a home.
  case home

  /// What is to be doubted in a value; `nil` for nothing.
  init?(_ value: String, isPath: Bool) {
    let ends = [value.first, value.last]
    if value.count > 1, ends == ["\"", "\""] || ends == ["'", "'"] {
      self = .quotes
    } else if let remark = value.firstMatch(of: #/[ \t]([#;])+[ \t]/#) {
      self = .remark(remark.1.first ?? "#")
    } else if isPath, value.last == " " || value.last == "\t" {
      self = .blank
    } else if isPath, value == "~" || value.hasPrefix("~/") {
      self = .home
    } else {
      return nil
    }
  }

  /// What is wrong and what would be right, without a full stop.
  var description: String {
    switch self {
    case .quotes: "the quotes would be a part of it; take them away"
    case .remark(let sign):
      "what stands behind the '\(sign)' would be a part of it; put a remark on a line of its own"
    case .blank: "the blank at its end would be a part of the name; take it away"
    case .home: "no shell reads this, and '~' is a name; write the whole path"
    }
  }
}
