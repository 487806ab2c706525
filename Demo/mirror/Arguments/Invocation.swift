import CatalogMirror
import Console

/// What a command line asks for.
struct Invocation: CommandRequest {
  /// What is to be done.
  enum Command: String, CaseIterable, Sendable {
    case sync
    case plan
    case status
    case verify
    case publish
    case watch
    case config
  }

  /// How what happens is shown.
  enum Style: Sendable, Equatable {
    /// A live line on a terminal, plain lines elsewhere.
    case people
    /// One JSON object a line.
    case json
    /// Errors only.
    case quiet
  }

  var command: Command
  /// The catalog and the folder, as far as the command takes them.
  var mirror = MirrorOptions(catalog: "", folder: "")
  /// Whether `verify` fetches again what is wrong.
  var repairs = false
  var publishing = PublishOptions()
  var unattended = UnattendedOptions()
  /// Where several mirrors are read from, if the command is for those.
  var source: ConfigurationSource?
  /// The configuration that `config check` looks at.
  var checked = ""
  var style = Style.people

  init(command: Command) {
    self.command = command
  }

  /// With a configuration, the names of mirrors are all that is left to say.
  var operands: [Operand] {
    unattended.config == nil ? command.operands : [Operand("NAME", .text, .any)]
  }

  mutating func take(_ operands: [String]) throws {
    guard unattended.config == nil else { return }
    switch command {
    case .sync, .plan, .watch:
      mirror.catalog = operands[0]
      mirror.folder = operands[1]
    case .status, .verify: mirror.folder = operands[0]
    case .publish: publishing.directory = operands[0]
    case .config:
      guard operands[0] == "check" else {
        throw UsageError("'\(operands[0])' is nothing that can be done; write 'config check FILE'")
      }
      checked = operands[1]
    }
  }
}

/// What `publish` needs to know.
struct PublishOptions: Sendable {
  var directory = ""
  var output: String?
  var base: String?
  var title: String?
  var previews: String?
  var rehashes = false
  var watches = false
}
