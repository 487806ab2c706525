extension Completion {
  /// For zsh: a file that its completion system finds by its first line.
  var zsh: String {
    let described = program.shownCommands.map {
      "    " + Self.quoted("\($0.rawValue):\(Self.zshText($0.summary))")
    }
    return """
      #compdef \(program.name)
      # Completes \(program.name) in zsh.
      \(zshAsking)\(function)() {
        local -a commands
        commands=(
      \(described.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        case $command in
      \(commands.map(zshCase).joined(separator: "\n"))
        esac
      }
      \(function) "$@"
      """
  }

  /// A function that has the program say what may stand there, and fails where it knows nothing.
  private var zshAsking: String {
    guard let asker = program.asker else { return "" }
    return """
      \(function)_asked() {
        local -a found
        found=("${(@f)$(\(program.name) \(asker) -- "${(@Q)words[1,CURRENT]}" 2>/dev/null)}")
        found=(${found:#})
        (( $#found )) || return 1
        compadd -S '' -- ${(M)found:#*/}
        compadd -- ${found:#*/}
      }

      """
  }

  private func zshCase(of command: Request.Command) -> String {
    let options = program.table.options(for: command).map(Self.zshOption)
    let operands = command.operands.enumerated().map { place, operand in
      let position = operand.count == .any ? "*" : "\(place + 1)"
      let optional = operand.count == .atMostOne ? ":" : ""
      return Self.quoted(
        "\(position):\(optional)\(operand.name):\(zshAction(for: operand.kind, of: command))")
    }
    let rows = (options + operands).map { "        \($0)" }
    return "    \(command.rawValue))\n      _arguments \\\n"
      + rows.joined(separator: " \\\n") + "\n      ;;"
  }

  private func zshAction(for kind: ValueKind, of command: Request.Command) -> String {
    let action = Self.zshAction(for: kind)
    guard program.asker != nil, command.completesByAsking else { return action }
    return kind == .text ? "\(function)_asked" : "{\(function)_asked || \(action)}"
  }

  private static func zshOption(_ option: Option<Request>) -> String {
    let help = "[\(zshText(option.help))]"
    let value = option.placeholder.map { ":\(zshText($0)):\(zshAction(for: option.kind))" } ?? ""
    let long = "--\(option.name)" + (option.placeholder == nil ? "" : "=")
    guard let short = option.short else {
      return quoted((option.isRepeatable ? "*" : "") + long + help + value)
    }
    let shortForm = "-\(short)" + (option.placeholder == nil ? "" : "+")
    let others = option.isRepeatable ? "*" : "(-\(short) --\(option.name))"
    return "\(quoted(others)){\(shortForm),\(long)}\(quoted(help + value))"
  }

  private static func zshAction(for kind: ValueKind) -> String {
    switch kind {
    case .text: " "
    case .file: "_files"
    case .directory: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  /// What `_arguments` and `_describe` read as it stands.
  private static func zshText(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("[", with: "\\[")
      .replacing("]", with: "\\]")
  }
}
