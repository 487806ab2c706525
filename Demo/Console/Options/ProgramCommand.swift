/// One of the things that a program can do, named as on the command line.
public protocol ProgramCommand: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// What it takes besides options.
  var operands: [Operand] { get }
  /// One line for the list of commands.
  var summary: String { get }
  /// A few lines for its help.
  var purpose: String { get }
  /// What the options don't say, in paragraphs; empty where they say all.
  var notes: String { get }
  /// Command lines to start from.
  var examples: [String] { get }
  /// Whether the program's help leaves it out: it has help of its own all the same.
  var isHidden: Bool { get }
  /// Whether only the program itself knows what may stand in place of its operands, since that
  /// depends on what was said before or on what lies there: then a shell asks it.
  var completesByAsking: Bool { get }
}

extension ProgramCommand {
  /// None.
  public var notes: String { "" }
  /// Every command is shown.
  public var isHidden: Bool { false }
  /// What is known of the operands is all that a shell needs.
  public var completesByAsking: Bool { false }

  /// As the help writes it: `sync [options] CATALOG FOLDER`, `config check [options] FILE`.
  public var synopsis: String { Self.synopsis(rawValue, operands).joined(separator: " ") }

  /// The words of it. Operands that are typed as they stand belong to the command's name.
  static func synopsis(_ name: String, _ operands: [Operand]) -> [String] {
    let fixed = operands.prefix { $0.isFixed }
    let others = operands.dropFirst(fixed.count)
    return [name] + fixed.map(\.name) + ["[options]"] + others.map(\.synopsis)
  }
}

/// What a program is asked to do: a command, and what its options and operands make of it.
public protocol CommandRequest: Sendable {
  associatedtype Command: ProgramCommand

  var command: Command { get }
  /// What the command does without any option.
  init(command: Command)
  /// What it takes besides options; asked after the options were applied, since they may change it.
  /// By default what the command says.
  var operands: [Operand] { get }
  /// What is wrong with what is there besides options, where that can be said better than by its
  /// count; asked before ``take(_:)``. By default, nothing.
  func problem(with operands: [String]) -> UsageError?
  /// Takes what is there besides options: as many as ``operands`` says, in their order.
  mutating func take(_ operands: [String]) throws
}

extension CommandRequest {
  public var operands: [Operand] { command.operands }
  public func problem(with operands: [String]) -> UsageError? { nil }
}
