/// A program as its user knows it: what help, manual, completions and parser are made from.
public struct ProgramDescription<Request: CommandRequest>: Sendable {
  /// What an exit status means.
  public struct Status: Sendable {
    public var number: Int32
    public var meaning: String

    public init(_ number: Int32, _ meaning: String) {
      self.number = number
      self.meaning = meaning
    }
  }

  /// A file that some commands work with, or a variable of the environment that they go by.
  public struct Place: Sendable {
    public var name: String
    public var meaning: String
    public var commands: Set<Request.Command>

    /// - Parameter commands: Whose it is. Default: those of all.
    public init(
      _ name: String, _ meaning: String,
      for commands: Set<Request.Command> = Set(Request.Command.allCases)
    ) {
      (self.name, self.meaning, self.commands) = (name, meaning, commands)
    }
  }

  /// The name under which it is called.
  public var name: String
  public var version: String
  /// The day of its version, as `2026-11-22`, which pages of the manual show.
  public var date: String
  /// What it is for, in one sentence.
  public var purpose: String
  /// Its options, of all commands.
  public var table: OptionTable<Request>
  public var statuses: [Status]
  /// Files that users meet, by their paths, which may begin with an operand's name.
  public var files: [Place]
  /// Variables of the environment, beside those that say options.
  public var variables: [Place]
  /// Whether what an option says may be said in the environment, too.
  public var hasVariables: Bool
  /// Options of other programs that people try, by their names without dashes, and what is said of
  /// each: the end of a sentence without its full stop.
  public var foreignOptions: [String: String]
  /// The command that a shell asks for what may stand in a command line, whose words it is given;
  /// see ``ProgramCommand/completesByAsking``.
  public var asker: String?
  /// Who calls it without anything else is shown this command line.
  public var example: String

  /// A program of these commands and options.
  public init(
    name: String, version: String, date: String = "", purpose: String, example: String,
    table: OptionTable<Request>, statuses: [Status], files: [Place] = [], variables: [Place] = [],
    hasVariables: Bool = false,
    foreignOptions: [String: String] = [:], asker: String? = nil
  ) {
    self.name = name
    self.version = version
    self.date = date
    self.purpose = purpose
    self.example = example
    self.table = table
    self.statuses = statuses
    (self.files, self.variables) = (files, variables)
    self.hasVariables = hasVariables
    self.foreignOptions = foreignOptions
    self.asker = asker
  }

  /// The commands that its help lists.
  public var shownCommands: [Request.Command] { Request.Command.allCases.filter { !$0.isHidden } }
}
