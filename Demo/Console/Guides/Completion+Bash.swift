extension Completion {
  /// For bash: a function of which `complete` asks for words.
  var bash: String {
    let names = program.shownCommands.map(\.rawValue) + ["--help", "--version"]
    return """
      # Completes \(program.name) in bash.
      \(function)() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        # bash makes a word of its own of the sign between an option and its value.
        if [ "$word" = "=" ]; then word=; elif [ "$before" = "=" ]; then
          before=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          mapfile -t COMPREPLY < <(compgen -W \(Self.quoted(names.joined(separator: " "))) -- "$word")
          return
        fi
        case ${COMP_WORDS[1]} in
      \(commands.map(bashCase).joined(separator: "\n"))
        esac
      }
      complete -F \(function) \(program.name)
      """
  }

  private func bashCase(of command: Request.Command) -> String {
    let options = program.table.options(for: command)
    let values = options.compactMap { option -> String? in
      guard option.placeholder != nil else { return nil }
      let forms = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
      return
        "        \(forms.joined(separator: "|"))) \(Self.bashReply(for: option.kind)); return ;;"
    }
    let names = (options.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
    let operand = Self.bashReply(for: command.operands.map(\.kind).last { $0 != .text } ?? .text)
    let cases =
      values.isEmpty
      ? "" : "      case $before in\n\(values.joined(separator: "\n"))\n      esac\n"
    return """
          \(command.rawValue))
      \(cases)      case $word in
              -*) mapfile -t COMPREPLY < <(compgen -W \(Self.quoted(names)) -- "$word") ;;
              *) \(operand) ;;
            esac
            ;;
      """
  }

  private static func bashReply(for kind: ValueKind) -> String {
    switch kind {
    case .text: ":"
    case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    case .directory: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
    case .words(let words):
      "mapfile -t COMPREPLY < <(compgen -W \(quoted(words.joined(separator: " "))) -- \"$word\")"
    }
  }
}
