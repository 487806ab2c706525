import CatalogMirror
import Console

/// `mirror complete -- WORD…`: what a shell may offer for the last of the words, where only the
/// program knows that. It says nothing of what is wrong: somebody is typing.
struct CompleteCommand {
  private let word: String
  /// What stands before it, if that can be read.
  private let said: CommandLineWords<Invocation.Command>?
  private let environment: [String: String]

  /// - Parameter words: What was typed after the program's name, as the shell has it.
  init(_ words: [String], in environment: [String: String]) {
    self.environment = environment
    let plain = Self.joined(words).map(Self.unquoted)
    word = plain.last ?? ""
    let parsed = try? ArgumentParser.parse(Array(plain.dropLast()), of: Invocation.program)
    if case .run(let words)? = parsed { said = words } else { said = nil }
  }

  func run() async -> ExitStatus {
    for word in await words() { Streams.out(word) }
    return .done
  }

  func words() async -> [String] {
    guard let said else { return [] }
    if said.command == .config, said.operands.isEmpty { return Self.beginning(word, ["check"]) }
    if said.command == .restore, let folder = said.operands.first {
      return await keys(in: folder).filter { !said.operands.contains($0) }
    }
    return Self.beginning(word, names(said).filter { !said.operands.contains($0) })
  }

  private func names(_ said: CommandLineWords<Invocation.Command>) -> [String] {
    let places = [said.settings, variables(said.command)]
    guard let path = places.lazy.compactMap({ $0.last { $0.name == "config" }?.value }).first,
      let bytes = FileManager.default.contents(atPath: atHome(path)),
      let text = try? INIText(Array(bytes))
    else { return [] }
    return text.sections.map(\.name).filter { $0 != ConfigurationFile.nameOfDefaults }
  }

  private func variables(_ command: Invocation.Command) -> [Setting] {
    (try? Invocation.program.settings(of: environment, for: command)) ?? []
  }

  /// What could be brought back, a directory at a time, as shells offer files.
  private func keys(in folder: String) async -> [String] {
    let options = MirrorOptions(catalog: "", folder: atHome(folder))
    let files = (try? await FolderMirror(options).restorable()) ?? []
    let fitting = Self.beginning(word, files.map(\.key))
    return Set(fitting.map { Self.step($0, beyond: word) }).sorted()
  }

  /// As far as the next slash.
  private static func step(_ key: String, beyond word: String) -> String {
    let rest = key.utf8.dropFirst(word.utf8.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return key }
    return String(key[...slash])
  }

  private static func beginning(_ word: String, _ words: [String]) -> [String] {
    words.filter { $0.utf8.starts(with: word.utf8) }
  }

  /// A word without what a shell needs to read it as one: bash gives words as they were typed.
  private static func unquoted(_ word: String) -> String {
    var plain = ""
    var rest = word[...]
    while let character = rest.popFirst() {
      switch character {
      case "'", "\"": continue
      case "\\": plain += rest.popFirst().map(String.init) ?? ""
      default: plain.append(character)
      }
    }
    return plain
  }

  /// The words with what bash takes for three: an option, the sign behind it, and its value.
  private static func joined(_ words: [String]) -> [String] {
    words.reduce(into: []) { joined, word in
      guard let last = joined.last, last.hasPrefix("--"), word == "=" || last.hasSuffix("=") else {
        return joined.append(word)
      }
      joined[joined.count - 1] = last + word
    }
  }

  private func atHome(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
    return home + path.dropFirst()
  }
}
