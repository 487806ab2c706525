/// Every option of a program, in the order of its help.
public struct OptionTable<Request: CommandRequest>: Sendable {
  /// Options that belong together, below a heading.
  public struct Group: Sendable {
    public var heading: String
    public var options: [Option<Request>]

    public init(_ heading: String, _ options: [Option<Request>]) {
      self.heading = heading
      self.options = options
    }
  }

  public let groups: [Group]

  /// A table of these groups. A command may have only one option of a name; two commands may each
  /// have one of their own.
  public init(_ groups: [Group]) {
    self.groups = groups
  }

  /// The groups of a command, without those that hold nothing for it.
  public func groups(for command: Request.Command) -> [Group] {
    groups.compactMap { group in
      let options = group.options.filter { $0.commands.contains(command) }
      return options.isEmpty ? nil : Group(group.heading, options)
    }
  }

  /// The options of a command.
  public func options(for command: Request.Command) -> [Option<Request>] {
    groups.flatMap(\.options).filter { $0.commands.contains(command) }
  }

  /// The command's option of that long name.
  public func option(_ name: String, for command: Request.Command) -> Option<Request>? {
    groups.lazy.flatMap(\.options).first { $0.name == name && $0.commands.contains(command) }
  }

  /// The command's option of that letter.
  public func option(_ short: Character, for command: Request.Command) -> Option<Request>? {
    groups.lazy.flatMap(\.options).first { $0.short == short && $0.commands.contains(command) }
  }

  /// The commands that have an option of that long name, in their order.
  public func commands(with name: String) -> [Request.Command] {
    let owners = groups.flatMap(\.options).filter { $0.name == name }.map(\.commands)
    return Request.Command.allCases.filter { command in owners.contains { $0.contains(command) } }
  }
}
