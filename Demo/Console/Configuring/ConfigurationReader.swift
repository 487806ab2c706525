import SyncText

/// Reads configuration files by a program's table of options, and finds every mistake that doesn't
/// need the world outside.
public struct ConfigurationReader<Request: CommandRequest>: Sendable {
  /// Keys that are no options.
  public struct OwnKeys: Sendable {
    /// Those that each part may have once.
    public var ofParts: [String]
    /// Options that belong to the whole process and stand below `[defaults]` only.
    public var ofProcess: Set<String>
    /// Options that no file may say.
    public var outside: Set<String>
    /// Keys of ``ofParts`` that name files or directories.
    public var paths: Set<String>
    /// Options whose values may hold quotes and signs of any kind.
    public var verbatim: Set<String>

    public init(
      ofParts: [String], ofProcess: Set<String> = [], outside: Set<String> = [],
      paths: Set<String> = [], verbatim: Set<String> = []
    ) {
      self.ofParts = ofParts
      self.ofProcess = ofProcess
      self.outside = outside
      self.paths = paths
      self.verbatim = verbatim
    }
  }

  let program: ProgramDescription<Request>
  let command: Request.Command
  let own: OwnKeys

  /// A reader of what may be said of a command.
  public init(
    _ program: ProgramDescription<Request>, for command: Request.Command, _ own: OwnKeys
  ) {
    self.program = program
    self.command = command
    self.own = own
  }

  /// Reads a file's bytes; throws ``UsageError``, which names the file and the line of each
  /// mistake.
  public func read(_ bytes: [UInt8], path: String) throws -> ConfigurationFile {
    var problems = ConfigurationProblems()
    let file = try read(bytes, path: path, &problems)
    try problems.throwAll()
    return file
  }

  /// Reads a file's bytes; throws where they are no such file. What is wrong with single settings
  /// joins the problems, and the file lacks them.
  public func read(
    _ bytes: [UInt8], path: String, _ problems: inout ConfigurationProblems
  ) throws -> ConfigurationFile {
    let text: INIText
    do {
      text = try INIText(bytes)
    } catch {
      throw ConfigurationFile.problem(in: path, at: error.line, "\(error)")
    }
    var file = ConfigurationFile(
      path: path,
      defaults: .init(name: ConfigurationFile.nameOfDefaults, number: 1), parts: [])
    for section in text.sections {
      let part = try part(section, of: file, &problems)
      if part.name == ConfigurationFile.nameOfDefaults {
        file.defaults = part
      } else {
        file.parts.append(part)
      }
    }
    return file
  }

  private func part(
    _ section: INIText.Section, of file: ConfigurationFile,
    _ problems: inout ConfigurationProblems
  ) throws -> ConfigurationFile.Part {
    guard section.name == ByteString.escape(section.name) else {
      throw file.problem(
        at: section.line, "a name is made of letters and signs that can be seen; write another one")
    }
    var part = ConfigurationFile.Part(name: section.name, number: section.line)
    // What is said below one name mustn't contradict itself.
    var trial = Request(command: command)
    for entry in section.entries {
      try problems.collect(of: section.name) {
        part.lines.append(.init(try setting(entry, of: part, in: file, &trial), entry.line))
      }
    }
    return part
  }

  private func setting(
    _ entry: INIText.Entry, of part: ConfigurationFile.Part, in file: ConfigurationFile,
    _ trial: inout Request
  ) throws -> Setting {
    let setting = Setting(entry.key, try value(of: entry, in: file))
    guard !own.ofParts.contains(entry.key) else {
      if let problem = problem(with: entry, in: part) {
        throw file.problem(at: entry.line, problem)
      }
      return setting
    }
    try check(entry, of: part, in: file)
    do {
      try program.table.apply(setting, to: &trial)
    } catch let error as UsageError {
      throw file.problem(at: entry.line, "\(entry.key): \(error)")
    }
    return setting
  }

  private func problem(
    with entry: INIText.Entry, in part: ConfigurationFile.Part
  ) -> String? {
    if part.name == ConfigurationFile.nameOfDefaults {
      return "each has a \(entry.key) of its own; write it below a name"
    }
    if let first = part.last(entry.key) {
      return "'\(entry.key)' is there already, in line \(first.number); [\(part.name)] has one"
    }
    return entry.value.isEmpty ? "\(entry.key) is empty; write it behind the '='" : nil
  }

  private func check(
    _ entry: INIText.Entry, of part: ConfigurationFile.Part, in file: ConfigurationFile
  ) throws {
    guard program.table.option(entry.key, for: command) != nil else {
      throw file.problem(at: entry.line, unknown(entry.key))
    }
    if own.outside.contains(entry.key) {
      throw file.problem(at: entry.line, "'\(entry.key)' is for the command line; take it out")
    }
    if own.ofProcess.contains(entry.key), part.name != ConfigurationFile.nameOfDefaults {
      throw file.problem(
        at: entry.line, "'\(entry.key)' holds for all together; write it below [defaults]")
    }
  }

  /// A key that looks like none isn't shown: it may be a part of a secret.
  private func unknown(_ key: String) -> String {
    let isName =
      key.utf8.count <= 40
      && key.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      }
    let help = "'\(program.name) \(command.rawValue) --help' lists them, without their dashes"
    guard isName else { return "what stands before the '=' is no setting; \(help)" }
    let known = own.ofParts + program.table.options(for: command).map(\.name)
    let plain = key.lowercased().replacing("_", with: "-").drop { $0 == "-" }
    if known.contains(String(plain)) { return "'\(key)' is no setting; write '\(plain)'" }
    let near = Suggestion.nearest(to: String(plain), among: known)
    return "'\(key)' is no setting; " + (near.map { "did you mean '\($0)'? " } ?? "") + help
  }
}
