import CatalogMirror

/// What a command line asks for.
struct Invocation: Sendable {
  /// What is to be done.
  enum Command: String, CaseIterable, Sendable {
    case sync
    case plan
    case status
    case verify
    case publish
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
  var style = Style.people

  init(command: Command) {
    self.command = command
  }
}

/// What `publish` needs to know.
struct PublishOptions: Sendable {
  var directory = ""
  var output: String?
  var base: String?
  var title: String?
  var previews: String?
}

/// What the arguments turned out to be.
enum ParsedArguments: Sendable {
  case run(Invocation)
  /// Help was asked for; for one command, or for the program.
  case help(Invocation.Command?)
  case version
}

/// A command line that can't be understood.
struct UsageError: Error, CustomStringConvertible {
  /// A sentence that says what is wrong and what to do.
  var description: String
}
