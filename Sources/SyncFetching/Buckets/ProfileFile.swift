import SyncText

/// What a file of Amazon's tools says of each profile, as far as it is of use here: lines
/// `name = value` under a line `[profile]`.
struct ProfileFile: Equatable {
  private(set) var profiles: [String: [String: String]] = [:]

  /// Reads a file; what can't be read in it is passed over, as those tools do.
  init(_ text: String) {
    var profile: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let bare = String(line).withoutOuterWhitespace
      if bare.isEmpty || bare.hasPrefix("#") || bare.hasPrefix(";") { continue }
      if bare.hasPrefix("[") {
        profile = Self.name(of: bare)
        if let profile { profiles[profile, default: [:]] = profiles[profile] ?? [:] }
        continue
      }
      // What is indented belongs to the line above it, and is none of ours.
      let isNested = line.first == " " || line.first == "\t"
      guard !isNested, let profile, let equals = bare.firstIndex(of: "=") else { continue }
      let name = String(bare[..<equals]).withoutOuterWhitespace
      let value = String(bare[bare.index(after: equals)...]).withoutOuterWhitespace
      profiles[profile]?[name] = value
    }
  }

  /// `[name]`, or `[profile name]` as the file of settings writes it; other sections are none.
  private static func name(of line: String) -> String? {
    guard let end = line.firstIndex(of: "]") else { return nil }
    let words = line[line.index(after: line.startIndex)..<end].split(separator: " ")
    switch words.count {
    case 1: return String(words[0])
    case 2 where words[0] == "profile": return String(words[1])
    default: return nil
    }
  }
}
