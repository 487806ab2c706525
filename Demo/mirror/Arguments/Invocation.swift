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
    case completion
    case manual
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
  /// What `manual` or `completion` is asked for.
  var guided: String?
  var style = Style.people
  /// Whether each file is named that something is done to.
  var isVerbose = false
  /// Whether a line a minute tells how far a run is, where no live line does.
  var showsProgress = false
  /// Where all that happens is written, too.
  var logFile: String?

  init(command: Command) {
    self.command = command
  }

  mutating func take(_ operands: [String]) {
    switch command {
    case .sync, .plan:
      mirror.catalog = operands[0]
      mirror.folder = operands[1]
    case .status, .verify: mirror.folder = operands[0]
    case .publish: publishing.directory = operands[0]
    case .completion, .manual: guided = operands.first
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
