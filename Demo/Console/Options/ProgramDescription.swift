/// A program as its user knows it: what help, manual, completions and parser are made from.
package struct ProgramDescription<Request: CommandRequest>: Sendable {
  /// What an exit status means.
  package struct Status: Sendable {
    package var number: Int32
    package var meaning: String

    package init(_ number: Int32, _ meaning: String) {
      self.number = number
      self.meaning = meaning
    }
  }

  /// The name under which it is called.
  package var name: String
  package var version: String
  /// What it is for, in one sentence.
  package var purpose: String
  /// Its options, of all commands.
  package var table: OptionTable<Request>
  package var statuses: [Status]
  /// Whether what an option says may be said in the environment, too.
  package var hasVariables: Bool
  /// Options of other programs that people try, by their names without dashes, and what is said of
  /// each: the end of a sentence without its full stop.
  package var foreignOptions: [String: String]
  /// The command that a shell asks for what may stand in a command line, whose words it is given;
  /// see ``ProgramCommand/completesByAsking``.
  package var asker: String?
  /// Who calls it without anything else is shown this command line.
  package var example: String

  /// A program of these commands and options.
  package init(
    name: String, version: String, purpose: String, example: String,
    table: OptionTable<Request>, statuses: [Status], hasVariables: Bool = false,
    foreignOptions: [String: String] = [:], asker: String? = nil
  ) {
    self.name = name
    self.version = version
    self.purpose = purpose
    self.example = example
    self.table = table
    self.statuses = statuses
    self.hasVariables = hasVariables
    self.foreignOptions = foreignOptions
    self.asker = asker
  }

  /// The commands that its help lists.
  package var shownCommands: [Request.Command] { Request.Command.allCases.filter { !$0.isHidden } }
}
