/// Reads a command line by the table of options.
public struct ArgumentParser<Request: CommandRequest> {
  private let program: ProgramDescription<Request>
  private var arguments: ArraySlice<String>

  private init(_ program: ProgramDescription<Request>, _ arguments: [String]) {
    self.program = program
    self.arguments = arguments[...]
  }

  /// Reads the arguments after the program's name; throws ``UsageError``.
  public static func parse(
    _ arguments: [String], of program: ProgramDescription<Request>
  ) throws -> ParsedArguments<Request> {
    var parser = ArgumentParser(program, arguments)
    return try parser.parse()
  }

  private mutating func parse() throws -> ParsedArguments<Request> {
    guard let first = arguments.popFirst() else {
      throw UsageError("say what to do, for example: \(program.example)").pointing(to: helpOfAll)
    }
    switch first {
    case "--help", "-h", "help": return .help(try arguments.first.map(command(named:)))
    case "--version": return .version
    default: break
    }
    let command = try command(named: first)
    let options = arguments.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") { return .help(command) }
    var words = CommandLineWords(command)
    try readArguments(into: &words)
    return .run(words)
  }

  private var helpOfAll: String { "'\(program.name) --help'" }

  private func command(named name: String) throws -> Request.Command {
    if let command = Request.Command(rawValue: name) { return command }
    if name.hasPrefix("-") {
      throw UsageError(
        "the command comes first, and '\(name)' is none; '\(program.example)' has one"
      )
      .pointing(to: helpOfAll)
    }
    let names = program.shownCommands.map(\.rawValue)
    let hint =
      Suggestion.nearest(to: name, among: names).map { "did you mean '\($0)'?" }
      ?? "the commands are \(names.joined(separator: ", "));"
    throw UsageError(
      "'\(name)' is no command; \(hint) '\(program.name) --help' tells what they do")
  }

  private mutating func readArguments(
    into words: inout CommandLineWords<Request.Command>
  ) throws {
    var onlyOperands = false
    while let argument = arguments.popFirst() {
      if onlyOperands || !argument.hasPrefix("-") || argument == "-" {
        words.operands.append(argument)
      } else if argument == "--" {
        onlyOperands = true
      } else if argument.hasPrefix("--") {
        words.settings.append(try readLong(argument, words.command))
      } else {
        words.settings += try readShort(argument, words.command)
      }
    }
  }

  /// `--name`, `--name VALUE` or `--name=VALUE`.
  private mutating func readLong(_ argument: String, _ command: Request.Command) throws -> Setting {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    guard let option = program.table.option(name, for: command) else {
      throw unknown("--\(name)", command)
    }
    if parts.count == 2 { return Setting(name, String(parts[1])) }
    return try withValue(option, "--\(name)", command)
  }

  /// `-q`, several of them as `-qv`, and `-jVALUE` or `-j VALUE`.
  private mutating func readShort(
    _ argument: String, _ command: Request.Command
  ) throws -> [Setting] {
    var settings: [Setting] = []
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = program.table.option(letter, for: command) else {
        throw unknown("-\(letter)", command)
      }
      if option.placeholder == nil {
        settings.append(Setting(option.name))
      } else if letters.isEmpty {
        settings.append(try withValue(option, "-\(letter)", command))
      } else {
        settings.append(Setting(option.name, String(letters)))
        letters = ""
      }
    }
    return settings
  }

  private mutating func withValue(
    _ option: Option<Request>, _ written: String, _ command: Request.Command
  ) throws -> Setting {
    guard let placeholder = option.placeholder else { return Setting(option.name) }
    guard let value = arguments.popFirst() else {
      throw UsageError("\(written): \(placeholder) is missing").pointing(
        to: program.help(of: command))
    }
    return Setting(option.name, value)
  }

  private func unknown(_ written: String, _ command: Request.Command) -> UsageError {
    let full = "\(program.name) \(command.rawValue)"
    let lists = "'\(full) --help' lists them"
    let name = String(written.drop { $0 == "-" })
    if let hint = program.foreignOptions[name] {
      return UsageError("'\(written)' is no option of '\(full)'; \(hint)")
    }
    if let owner = program.table.commands(with: name).first, written.hasPrefix("--") {
      return UsageError(
        """
        '\(written)' is an option of '\(program.name) \(owner.rawValue)', not of '\(full)'; \
        \(lists)
        """
      )
    }
    let known = program.table.options(for: command).map(\.name)
    if let near = Suggestion.nearest(to: name, among: known), written.hasPrefix("--") {
      return UsageError(
        "'\(written)' is no option of '\(full)'; did you mean '--\(near)'? \(lists)")
    }
    return UsageError("'\(written)' is no option of '\(full)'; \(lists)")
  }
}

extension ProgramDescription {
  /// What shows a command's help.
  func help(of command: Request.Command) -> String {
    "'\(name) \(command.rawValue) --help'"
  }
}
