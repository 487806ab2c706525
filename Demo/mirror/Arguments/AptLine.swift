import CatalogMirror

/// A line of apt's `sources.list` (sources.list(5), "One-Line-Style Format"), given in place of the
/// address of a catalog: as one word, or as its words.
struct AptLine {
  private let isOfSources: Bool
  private let architectures: [String]
  private let keyring: String?
  private let uri: String
  private let suite: String
  private let components: [String]

  /// `nil` for what isn't such a line.
  init?(_ operands: [String]) {
    let isOneWord = operands.first?.contains(" ") ?? false
    let given = isOneWord ? Array(operands.prefix(1)) : operands
    var words = given.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }[...]
    guard let kind = words.popFirst(), kind == "deb" || kind == "deb-src" else { return nil }
    isOfSources = kind == "deb-src"
    var options: [Substring] = []
    if words.first?.hasPrefix("[") ?? false {
      let end = words.firstIndex { $0.hasSuffix("]") } ?? words.endIndex - 1
      options = words[...end].flatMap { $0.split { "[]".contains($0) } }
      words = words[(end + 1)...]
    }
    architectures = Self.values(of: "arch", in: options).flatMap { $0.split(separator: ",") }
      .map(String.init)
    // What stands there else is the print of a key.
    keyring = Self.values(of: "signed-by", in: options).first { $0.hasPrefix("/") }
    guard let uri = words.popFirst(), uri.contains("://"), let suite = words.popFirst() else {
      return nil
    }
    (self.uri, self.suite) = (uri, suite)
    // Whoever gives the words by themselves gives the folder as one more.
    let isFolder = !isOneWord && words.last.map(Self.looksLikeFolder) ?? false
    components = isFolder ? Array(words.dropLast()) : Array(words)
  }

  private static func values(of name: String, in options: [Substring]) -> [String] {
    options.filter { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  private static func looksLikeFolder(_ word: String) -> Bool {
    ["/", "./", "../", "~"].contains(where: word.hasPrefix)
  }

  /// What to type in its place, as a sentence without its full stop.
  func advice(for command: Invocation.Command) -> String {
    let line = "that is a line of apt's sources.list"
    if isOfSources { return "\(line) for source packages, which aren't mirrored" }
    return "\(line); say: mirror \(command.rawValue) \(words(for: command).joined(separator: " "))"
  }

  private func words(for command: Invocation.Command) -> [String] {
    var words = [address]
    if command != .doctor { words.append("FOLDER") }
    words += ["--format", "debian"]
    for component in components { words += ["--component", component] }
    for architecture in architectures { words += ["--architecture", architecture] }
    if let keyring { words += ["--keyring", keyring] }
    return words
  }

  /// Of a suite below `dists`, or of a flat repository.
  private var address: String {
    let shown = URLReference(uri).map { $0.mayHoldSecret ? $0.redacted : uri } ?? uri
    let root = shown.hasSuffix("/") ? shown : shown + "/"
    if suite == "/" || suite == "./" { return root }
    return suite.hasSuffix("/") ? root + suite : "\(root)dists/\(suite)/"
  }
}
