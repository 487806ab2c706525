import CatalogMirror
import Console

/// Where the mirrors of a configuration are read from: a file, under what the command line and the
/// environment say.
struct ConfigurationSource: Sendable {
  let path: String
  private var words: CommandLineWords<Invocation.Command>
  private let environment: [Setting]
  private let names: [String]

  /// The source that a command line names.
  /// - Parameter environment: What the environment says of options.
  init(
    _ path: String, _ words: CommandLineWords<Invocation.Command>, environment: [Setting]
  ) {
    self.path = path
    self.words = words
    // The environment may have named it.
    self.words.settings.append(Setting("config", path))
    self.environment = environment.filter { !Invocation.ofCommandLine.contains($0.name) }
    names = words.operands
  }

  /// Reads the file; throws ``UsageError``, which names the line of each mistake.
  func read() throws -> MirrorConfiguration {
    var problems = ConfigurationProblems()
    let file = try ConfigurationReader.mirrors.read(Self.bytes(of: path), path: path, &problems)
    try Self.check(file, &problems)
    try problems.throwAll()
    // Who only looks takes no filters, and can't tell what they leave out.
    if Invocation.program.table.option("exclude", for: words.command) != nil {
      try checkNesting(in: file)
    }
    let mirrors = try chosen(file.parts, in: file).map { try mirror($0, of: file) }
    let all = try Invocation.program.request(
      line([]), over: [environment, settings(file.defaults)].map(withoutOthers))
    try Self.checkOutputs(of: all, in: file)
    return MirrorConfiguration(whole: all, mirrors: mirrors, known: file.parts.map(\.name))
  }

  /// What belongs to this process, as a request without operands.
  private func line(_ operands: [String]) -> CommandLineWords<Invocation.Command> {
    var line = words
    line.operands = operands
    if !operands.isEmpty {
      line.settings.removeAll { Invocation.ofCommandLine.contains($0.name) }
    }
    return line
  }

  /// What is said of a mirror, in all places together.
  func mirror(
    _ part: ConfigurationFile.Part, of file: ConfigurationFile
  ) throws -> ConfiguredMirror {
    let places = [environment, settings(part), settings(file.defaults)].map(withoutOthers)
    let operands = Invocation.ownKeys.map { part.last($0)?.setting.value ?? "" }
    let line = line(
      words.command.operands.compactMap { part.last($0.name.lowercased())?.setting.value })
    let merged = Invocation.program.table.merged([line.settings] + places, for: words.command)
    return ConfiguredMirror(
      name: part.name, invocation: try Invocation.program.request(line, over: places),
      settings: merged, operands: operands)
  }

  private func settings(_ part: ConfigurationFile.Part) -> [Setting] {
    part.settings.filter { !Invocation.ownKeys.contains($0.name) }
  }

  /// A file is for several commands; what only others take says nothing to this one.
  private func withoutOthers(_ settings: [Setting]) -> [Setting] {
    settings.filter { Invocation.program.table.option($0.name, for: words.command) != nil }
  }

  private func chosen(
    _ parts: [ConfigurationFile.Part], in file: ConfigurationFile
  ) throws -> [ConfigurationFile.Part] {
    guard !parts.isEmpty else {
      throw UsageError("'\(path)' names no mirror; write a line [NAME] and its settings below it")
    }
    for name in names where !parts.contains(where: { $0.name == name }) {
      let known = parts.map(\.name)
      let near = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'? " } ?? ""
      throw UsageError(
        "'\(path)' has no mirror '\(name)'; \(near)It has \(known.joined(separator: ", "))")
    }
    return names.isEmpty ? parts : parts.filter { names.contains($0.name) }
  }

  /// A file's bytes; no more of them than a configuration may have, and one.
  private static func bytes(of path: String) throws -> [UInt8] {
    if let file = FileBytes(of: path, limit: INIText.mostBytes + 1) { return file.bytes }
    let isThere = FileManager.default.fileExists(atPath: path)
    throw UsageError(
      """
      the configuration '\(path.escaped)' \
      \(isThere ? "can't be read; check its name and its rights" : "isn't there; check its name")
      """)
  }

  /// What no single line tells.
  static func check(
    _ file: ConfigurationFile, _ problems: inout ConfigurationProblems
  ) throws {
    var owners: [String: ConfigurationFile.Part] = [:]
    // Of a part with a mistake, what it lacks may be what is mistaken.
    for part in file.parts where !problems.parts.contains(part.name) {
      try problems.collect(of: part.name) { try check(part, in: file, &owners) }
    }
  }

  private static func check(
    _ part: ConfigurationFile.Part, in file: ConfigurationFile,
    _ owners: inout [String: ConfigurationFile.Part]
  ) throws {
    for key in Invocation.ownKeys where part.last(key) == nil {
      throw file.problem(
        at: part.number, "[\(part.name)] says no \(key); write \(key) = \(key.uppercased())")
    }
    try checkCatalog(of: part, in: file)
    guard let line = part.last("folder"), let folder = line.setting.value else { return }
    let place = URL(filePath: folder).standardizedFileURL.path
    if let other = owners[place] {
      throw file.problem(
        at: line.number,
        "folder: [\(other.name)] has the same one; each mirror needs a folder of its own")
    }
    owners[place] = part
  }

  private static func checkCatalog(
    of part: ConfigurationFile.Part, in file: ConfigurationFile
  ) throws {
    guard let line = part.last("catalog") else { return }
    if let problem = line.setting.value.flatMap({ Value.problem(withHostOf: $0) }) {
      throw file.problem(at: line.number, "catalog: \(problem)")
    }
    let address = line.setting.value.flatMap { URLReference($0) }
    if let scheme = address?.scheme, ["http", "https", "file"].contains(scheme) { return }
    throw file.problem(
      at: line.number,
      "catalog: this is no address; write one that begins with http://, https:// or file://")
  }

  /// A log or metrics among the files of any of the mirrors, asked for or not.
  private static func checkOutputs(of all: Invocation, in file: ConfigurationFile) throws {
    let folders = file.parts.compactMap { $0.last("folder")?.setting.value }
    guard let problem = OutputPlaces(folders: folders).problem(of: all) else { return }
    let sentence = "\(problem.option): \(problem.sentence)"
    guard let line = file.defaults.last(problem.option), line.setting.value == problem.path else {
      throw UsageError("--\(sentence)")
    }
    throw file.problem(at: line.number, sentence)
  }
}

/// The mirrors that were asked for, and what holds for the whole process.
struct MirrorConfiguration: Sendable {
  var whole: Invocation
  var mirrors: [ConfiguredMirror]
  /// The names of all that there are, asked for or not.
  var known: [String]

  /// The file of metrics that is asked for. It tells of no mirror that the configuration hasn't.
  var metrics: MetricsFile? {
    guard let path = whole.unattended.metrics else { return nil }
    let file = MetricsFile(path)
    if !known.isEmpty { file.keep(known) }
    return file
  }
}

struct ConfiguredMirror: Sendable, Equatable {
  var name: String
  var invocation: Invocation
  /// All that was said of it, to tell whether it has changed.
  var settings: [Setting]
  var operands: [String]

  static func == (one: ConfiguredMirror, other: ConfiguredMirror) -> Bool {
    // What is named there may be the same, and what stands in it another.
    (one.name, one.settings, one.operands) == (other.name, other.settings, other.operands)
      && one.invocation.mirror.scope == other.invocation.mirror.scope
      && one.invocation.mirror.access.headers == other.invocation.mirror.access.headers
  }
}
