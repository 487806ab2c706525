/// The pages of the manual, in the language of `man` (the macros of man(7)), made from the table of
/// options.
public struct Manual<Request: CommandRequest> {
  private let program: ProgramDescription<Request>
  /// The day of the program's version, as `2026-11-22`; the page's foot shows it.
  private let date: String

  public init(_ program: ProgramDescription<Request>, date: String) {
    self.program = program
    self.date = date
  }

  /// The page of the program, or of one command.
  public func page(for command: Request.Command?) -> String {
    (command.map(page(of:)) ?? page).joined(separator: "\n")
  }

  /// The name of a page, as `man` is asked for it.
  public func name(of command: Request.Command?) -> String {
    command.map { "\(program.name)-\($0.rawValue)" } ?? program.name
  }

  private var page: [String] {
    var lines = begin(name(of: nil), program.purpose.dropped(prefix: program.name + " "))
    lines += heading("SYNOPSIS")
    lines += synopsis(["COMMAND", "[options]", "[ARGUMENT\u{2026}]"])
    lines += heading("COMMANDS")
    for command in program.shownCommands {
      lines += term(Roff.bold("\(program.name)-\(command.rawValue)") + "(1)", command.summary)
    }
    return lines + surroundings(of: nil) + also(program.shownCommands)
  }

  private func page(of command: Request.Command) -> [String] {
    var lines = begin(name(of: command), command.summary)
    lines += heading("SYNOPSIS")
    lines += synopsis(Request.Command.synopsis(command.rawValue, command.operands))
    lines += heading("DESCRIPTION") + paragraphs(command.purpose)
    let groups = program.table.groups(for: command)
    if !groups.isEmpty { lines += heading("OPTIONS") }
    for group in groups {
      lines.append(".SS " + Roff.argument(group.heading))
      for option in group.options { lines += term(Self.name(of: option), option.explanation) }
    }
    if !command.notes.isEmpty { lines += heading("NOTES") + paragraphs(command.notes) }
    lines += heading("EXAMPLES")
    for example in command.examples {
      let rows = example.split(separator: "\n").map { Roff.text(String($0)) }
      lines += [".PP", ".nf"] + rows + [".fi"]
    }
    return lines + surroundings(of: command) + also([])
  }

  private func begin(_ name: String, _ purpose: String) -> [String] {
    [
      ".TH \(Roff.argument(name.uppercased())) 1 \(Roff.argument(date)) "
        + Roff.argument("\(program.name) \(program.version)"),
      ".SH NAME",
      Roff.text(name) + " \\- " + Roff.text(purpose.withoutStop),
    ]
  }

  private func heading(_ text: String) -> [String] { [".SH " + text] }

  /// What is written as it stands is bold.
  private func synopsis(_ words: [String]) -> [String] {
    let shown = ([program.name] + words).map { word in
      word == word.lowercased() && !word.hasPrefix("[") ? Roff.bold(word) : Roff.text(word)
    }
    return [shown.joined(separator: " ")]
  }

  private func term(_ term: String, _ text: String) -> [String] {
    [".TP", term, Roff.text(text)]
  }

  private func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n\n").flatMap { paragraph in
      paragraph.hasPrefix(" ")
        ? [".PP", ".nf"] + paragraph.split(separator: "\n").map { Roff.text(String($0)) } + [".fi"]
        : [".PP"] + paragraph.split(separator: "\n").map { Roff.text(String($0)) }
    }
  }

  private static func name(of option: Option<Request>) -> String {
    let forms = [option.short.map { "-\($0)" }, "--\(option.name)"].compactMap { $0 }
    let names = forms.map(Roff.bold).joined(separator: ", ")
    return option.placeholder.map { "\(names) \(Roff.italic($0))" } ?? names
  }

  /// How the program ends, and what it reads and leaves beside its operands; of a command, or of
  /// all of them.
  private func surroundings(of command: Request.Command?) -> [String] {
    func isOf(_ place: ProgramDescription<Request>.Place) -> Bool {
      command.map(place.commands.contains) ?? true
    }
    var lines: [String] = []
    if !program.statuses.isEmpty { lines += heading("EXIT STATUS") }
    for status in program.statuses { lines += term(Roff.bold("\(status.number)"), status.meaning) }
    let files = program.files.filter(isOf)
    if !files.isEmpty { lines += heading("FILES") }
    for file in files { lines += term(Roff.italic(file.name), file.meaning) }
    let variables = program.variables.filter(isOf)
    if options != nil || !variables.isEmpty { lines += heading("ENVIRONMENT") }
    lines += [options].compactMap { $0 }
    for variable in variables { lines += term(Roff.bold(variable.name), variable.meaning) }
    return lines
  }

  private var options: String? {
    guard program.hasVariables, let option = program.table.groups.first?.options.first else {
      return nil
    }
    return Roff.text(
      """
      What an option of the command line is, a variable of its name may say, as \
      \(option.variable(of: program.name)) does for --\(option.name).
      """)
  }

  private func also(_ commands: [Request.Command]) -> [String] {
    let names = commands.isEmpty ? [program.name] : commands.map { name(of: $0) }
    return heading("SEE ALSO") + [
      names.map { Roff.bold($0) + "(1)" }.joined(separator: ", ")
    ]
  }
}

extension String {
  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }

  fileprivate func dropped(prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
