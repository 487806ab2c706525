import CatalogMirror

/// Filters: the input is a pattern and, after a line break, a path that it is held against. As a whole
/// it is a file of filters as well.
enum PatternTarget {
  static func check(_ input: [UInt8]) throws {
    try checkLines(input)
    let (first, second) = input.firstLineAndRest
    guard let pattern = try? KeyPattern(bytes: first) else { return }
    try checkText(pattern, first)
    guard let path = second, isPath(path) else { return }
    try checkItself(path)
    try checkAbove(pattern, path)
    try checkDirectoriesOnly(pattern, path)
    try checkAnyDepth(pattern, path)
    for name in names(in: path) { try checkName(pattern, name) }
  }

  private static func isPath(_ path: [UInt8]) -> Bool {
    names(in: path).allSatisfy { !$0.isEmpty && $0.count <= 60 }
  }

  private static func names(in path: [UInt8]) -> [[UInt8]] {
    path.split(separator: slash, omittingEmptySubsequences: false).map { Array($0) }
  }

  private static let slash = UInt8(ascii: "/")

  private static func checkLines(_ input: [UInt8]) throws {
    guard let rules = try? ScopeRule.rules(inLines: input) else { return }
    try require(rules.count <= input.count { $0 == 0x0A } + 1, "more filters than lines")
    // One return belongs to the end of a line, another one to the pattern.
    let written = rules.map { rule in
      Array((rule.includes ? "+ " : "- ").utf8) + rule.pattern.text.bytes + [0x0D]
    }
    let again = try? ScopeRule.rules(inLines: Array(written.joined(separator: [0x0A])))
    try require(again == rules, "filters that are written down read as others")
  }

  private static func checkText(_ pattern: KeyPattern, _ written: [UInt8]) throws {
    try require(pattern.text.bytes == written, "a pattern has another text")
    try requirePrintable(pattern.description, "a pattern's description")
    try require((try? KeyPattern(bytes: written)) == pattern, "a pattern reads as another")
  }

  /// A path of which nothing has a meaning is a pattern that fits it and nothing else.
  private static func checkItself(_ path: [UInt8]) throws {
    let escaped = path.flatMap { $0 == slash ? [$0] : [UInt8(ascii: "\\"), $0] }
    guard let pattern = try? KeyPattern(bytes: [slash] + escaped) else { return }
    try require(pattern.fit(path, isDirectory: false) == .whole, "a path doesn't fit itself")
    for other in [path + [0x78], [0x78] + path] {
      try require(pattern.fit(other, isDirectory: false) != .whole, "a path fits another one")
    }
  }

  /// What fits lies in no directory that is passed over, and what fits a directory fits all in it.
  private static func checkAbove(_ pattern: KeyPattern, _ path: [UInt8]) throws {
    let fits = pattern.fit(path, isDirectory: false) == .whole
    for end in path.indices where path[end] == slash {
      switch pattern.fit(Array(path[..<end]), isDirectory: true) {
      case .none: try require(!fits, "what fits lies in a directory that holds nothing of it")
      case .whole: try require(fits, "a directory fits, and not what lies in it")
      case .below: break
      }
    }
  }

  /// With a slash at its end a pattern fits the same directories, and what lies in them.
  private static func checkDirectoriesOnly(_ pattern: KeyPattern, _ path: [UInt8]) throws {
    let text = pattern.text.bytes
    guard let last = text.last, ![slash, UInt8(ascii: " "), UInt8(ascii: "\\")].contains(last),
      let only = try? KeyPattern(bytes: text + [slash])
    else { return }
    let above = path.indices.filter { path[$0] == slash }.map { Array(path[..<$0]) }
    for directory in above + [path] {
      try require(
        only.fit(directory, isDirectory: true) == pattern.fit(directory, isDirectory: true),
        "a slash at the end changes which directories fit")
    }
    let isInside = above.contains { pattern.fit($0, isDirectory: true) == .whole }
    try require(
      (only.fit(path, isDirectory: false) == .whole) == isInside,
      "a pattern for directories fits a file, or not what lies in one")
  }

  /// Without a slash, a pattern is held against each name.
  private static func checkAnyDepth(_ pattern: KeyPattern, _ path: [UInt8]) throws {
    let text = pattern.text.bytes
    guard !text.contains(slash) else { return }
    let names = names(in: path)
    let isNamed = names.contains { pattern.fit($0, isDirectory: false) == .whole }
    try require(
      (pattern.fit(path, isDirectory: false) == .whole) == isNamed, "a name fits or not by place")
    let anywhere = try? KeyPattern(bytes: Array("**/".utf8) + text)
    try require(
      anywhere?.fit(path, isDirectory: false) == pattern.fit(path, isDirectory: false),
      "two stars and a slash change what fits")
  }

  /// Without brackets and backslashes there is a simple way to tell.
  private static func checkName(_ pattern: KeyPattern, _ name: [UInt8]) throws {
    var text = pattern.text.bytes
    guard !text.contains(where: { [slash, UInt8(ascii: "["), UInt8(ascii: "\\")].contains($0) })
    else { return }
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    try require(
      (pattern.fit(name, isDirectory: false) == .whole) == fits(text, name),
      "\(pattern) and \(CatalogKey(bytes: name))")
  }

  /// Row by row: which beginnings of the name the beginning of the pattern fits.
  private static func fits(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
    var row = [true] + name.map { _ in false }
    for element in pattern {
      var next = [element == UInt8(ascii: "*") && row[0]]
      for (place, byte) in name.enumerated() {
        switch element {
        case UInt8(ascii: "*"): next.append(next[place] || row[place + 1])
        case UInt8(ascii: "?"): next.append(row[place])
        default: next.append(row[place] && element == byte)
        }
      }
      row = next
    }
    return row[name.count]
  }
}
