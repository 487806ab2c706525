extension Completion {
  /// For bash: a function of which `complete` asks for words.
  var bash: String {
    let names = program.shownCommands.map(\.rawValue) + ["--help", "--version"]
    let list = Self.quoted(names.joined(separator: " "))
    return """
      # Completes \(program.name) in bash.
      \(bashAsking)\(function)() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        # bash makes a word of its own of the sign between an option and its value.
        if [ "$word" = "=" ]; then word=; elif [ "$before" = "=" ]; then
          before=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          mapfile -t COMPREPLY < <(compgen -W \(list) -- "$word")
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
    let kind = command.operands.map(\.kind).last { $0 != .text } ?? .text
    let reply = Self.bashReply(for: kind)
    let isAsked = program.asker != nil && command.completesByAsking
    let operand = isAsked ? "\(function)_asked || { \(reply); }" : reply
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

  /// A function that has the program say what may stand there, and fails where it knows nothing.
  private var bashAsking: String {
    guard let asker = program.asker else { return "" }
    return """
      \(function)_asked() {
        local place
        mapfile -t COMPREPLY < <(
          "${COMP_WORDS[0]}" \(asker) -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        [ ${#COMPREPLY[@]} -gt 0 ] || return 1
        # A directory is gone on with.
        [[ ${COMPREPLY[0]} != */ ]] || compopt -o nospace
        for place in "${!COMPREPLY[@]}"; do
          printf -v "COMPREPLY[place]" %q "${COMPREPLY[place]}"
        done
      }

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
