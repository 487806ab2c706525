import CatalogMirror

/// Reads a command line by the table of options.
struct ArgumentParser {
  private var arguments: ArraySlice<String>
  private var operands: [String] = []

  /// A parser of the arguments after the program's name.
  init(_ arguments: [String]) {
    self.arguments = arguments[...]
  }

  /// Reads everything; throws ``UsageError``.
  static func parse(_ arguments: [String]) throws -> ParsedArguments {
    var parser = ArgumentParser(arguments)
    return try parser.parse()
  }

  private mutating func parse() throws -> ParsedArguments {
    guard let first = arguments.popFirst() else {
      throw UsageError(description: "say what to do, for example: mirror sync CATALOG FOLDER")
    }
    switch first {
    case "--help", "-h", "help": return .help(arguments.first.flatMap(Invocation.Command.init))
    case "--version": return .version
    default: break
    }
    guard let command = Invocation.Command(rawValue: first) else {
      let known = Invocation.Command.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(description: "'\(first)' is no command; the commands are \(known)")
    }
    if arguments.contains("--help") || arguments.contains("-h") { return .help(command) }
    var invocation = Invocation(command: command)
    try readArguments(into: &invocation)
    try assignOperands(to: &invocation)
    return .run(invocation)
  }

  private mutating func readArguments(into invocation: inout Invocation) throws {
    var onlyOperands = false
    while let argument = arguments.popFirst() {
      if onlyOperands || !argument.hasPrefix("-") || argument == "-" {
        operands.append(argument)
      } else if argument == "--" {
        onlyOperands = true
      } else {
        try readOption(argument, into: &invocation)
      }
    }
  }

  private mutating func readOption(
    _ argument: String, into invocation: inout Invocation
  ) throws {
    let parts = argument.drop { $0 == "-" }.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    let command = invocation.command
    guard argument.hasPrefix("--"),
      let option = Option.all.first(where: { $0.name == name && $0.commands.contains(command) })
    else {
      throw UsageError(
        description: "'\(argument.prefix { $0 != "=" })' is no option of 'mirror \(command)'")
    }
    do {
      switch option.effect {
      case .flag(let apply):
        guard parts.count == 1 else { throw UsageError(description: "it takes no value") }
        try apply(&invocation)
      case .value(let placeholder, let apply):
        guard let value = parts.count == 2 ? String(parts[1]) : arguments.popFirst() else {
          throw UsageError(description: "\(placeholder) is missing")
        }
        try apply(&invocation, value)
      }
    } catch let error as UsageError {
      throw UsageError(description: "--\(name): \(error.description)")
    }
  }

  private func assignOperands(to invocation: inout Invocation) throws {
    let names = invocation.command.operands
    guard operands.count >= names.count else {
      throw UsageError(
        description: "\(names[operands.count]) is missing: mirror \(invocation.command.synopsis)")
    }
    guard operands.count == names.count else {
      throw UsageError(
        description: "'\(operands[names.count])' is too much: mirror \(invocation.command.synopsis)"
      )
    }
    if let place = operands.firstIndex(of: "") {
      throw UsageError(description: "\(names[place]) is empty; give a name")
    }
    switch invocation.command {
    case .sync, .plan:
      invocation.mirror.catalog = operands[0]
      invocation.mirror.folder = operands[1]
    case .status, .verify: invocation.mirror.folder = operands[0]
    case .publish: invocation.publishing.directory = operands[0]
    }
  }
}

extension Invocation.Command {
  /// What the command takes besides options.
  var operands: [String] {
    switch self {
    case .sync, .plan: ["CATALOG", "FOLDER"]
    case .status, .verify: ["FOLDER"]
    case .publish: ["DIR"]
    }
  }

  /// The command as the help writes it.
  var synopsis: String {
    "\(rawValue) [options] \(operands.joined(separator: " "))"
  }
}
