extension Completion {
  /// For fish: a line for each command, and one for each option.
  var fish: String {
    let program = program.name
    var lines = ["# Completes \(program) in fish.", "complete -c \(program) -f"]
    for command in self.program.shownCommands {
      lines.append(
        "complete -c \(program) -n __fish_use_subcommand -a \(command.rawValue) -d "
          + Self.fishText(command.summary))
    }
    for option in self.program.table.groups.flatMap(\.options) {
      lines.append(fishLine(of: option))
    }
    for command in commands {
      if let asker = self.program.asker, command.completesByAsking {
        let asking = "\(program) \(asker) -- (commandline -opc)[2..-1] (commandline -ct)"
        lines.append(
          "complete -c \(program) -n '__fish_seen_subcommand_from \(command.rawValue)'"
            + " -a '(\(asking) 2>/dev/null)'")
      }
      guard let kind = command.operands.map(\.kind).last(where: { $0 != .text }) else { continue }
      lines.append(
        "complete -c \(program) -n '__fish_seen_subcommand_from \(command.rawValue)'"
          + Self.fishArguments(for: kind))
    }
    return lines.joined(separator: "\n")
  }

  private func fishLine(of option: Option<Request>) -> String {
    let owners = commands.filter(option.commands.contains).map(\.rawValue)
      .joined(separator: " ")
    var line =
      "complete -c \(program.name) -n '__fish_seen_subcommand_from \(owners)'"
    if let short = option.short { line += " -s \(short)" }
    line += " -l \(option.name)"
    if option.placeholder != nil {
      line += option.kind == .text ? " -x" : " -r" + Self.fishArguments(for: option.kind)
    }
    return line + " -d " + Self.fishText(option.help)
  }

  private static func fishArguments(for kind: ValueKind) -> String {
    switch kind {
    case .text: ""
    case .file: " -F"
    case .directory: " -a '(__fish_complete_directories)'"
    case .words(let words): " -a '\(words.joined(separator: " "))'"
    }
  }

  private static func fishText(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
