import CatalogMirror
import Console

/// What a command line asks for.
struct Invocation: CommandRequest {
  enum Command: String, CaseIterable, Sendable {
    case sync
    case plan
    case status
    case verify
    case sums
    case restore
    case publish
    case watch
    case doctor
    case config
    case completion
    case manual
    case complete
  }

  enum Style: Sendable, Equatable {
    /// A live line on a terminal, plain lines elsewhere.
    case people
    case json
    case quiet
  }

  var command: Command
  /// The catalog and the folder, as far as the command takes them.
  @Apart var mirror = MirrorOptions(catalog: "", folder: "")
  var repairs = false
  var isDryRun = false
  var restoring = RestoreOptions()
  @Apart var publishing = PublishOptions()
  /// Where `sums` writes; `nil` for standard output.
  var sumsOutput: String?
  var guided: String?
  var typed: [String] = []
  var unattended = UnattendedOptions()
  /// Where several mirrors are read from, if the command is for those.
  var source: ConfigurationSource?
  var checked = ""
  var style = Style.people
  /// Whether each file is named that something is done to.
  var isVerbose = false
  /// Whether a line a minute tells how far a run is, where no live line does.
  var showsProgress = false
  var logFile: String?

  init(command: Command) {
    self.command = command
    mirror.userAgent = "\(Self.program.name)/\(Self.program.version) (OneWaySynchronizer)"
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
    case .doctor: mirror.catalog = operands[0]
    case .status, .verify, .sums: mirror.folder = operands[0]
    case .restore:
      mirror.folder = operands[0]
      restoring.keys = Array(operands.dropFirst())
    case .publish: publishing.directory = operands[0]
    case .completion, .manual: guided = operands.first
    case .complete: typed = operands
    case .config:
      guard operands[0] == "check" else {
        throw UsageError("'\(operands[0])' is nothing that can be done; write 'config check FILE'")
      }
      checked = operands[1]
    }
  }
}

struct RestoreOptions: Sendable {
  var keys: [String] = []
  var takesAll = false
  var takesDisplaced = false
  var batch: String?
  var directory: String?

  /// What is to be brought back; `nil` to list what could be.
  var selection: RestoreSelection? {
    guard !keys.isEmpty || takesAll || takesDisplaced || batch != nil else { return nil }
    var selection = RestoreSelection()
    selection.keys = keys
    selection.batch = batch
    if takesDisplaced {
      selection.causes = [.displaced]
    } else if keys.isEmpty {
      selection.causes = [.removed]
    }
    return selection
  }
}

struct PublishOptions: Sendable {
  var directory = ""
  var output: String?
  var base: String?
  var title: String?
  var previews: String?
  var signKeys: [String] = []
  var acceptsUnsigned = false
  var expires: Duration?
  /// Whether small files lie in packs, too; `nil` is as the catalog has it.
  var packs: Bool?
  /// How long packs stay that the catalog names no more; `nil` is the default.
  var keepPacks: Duration?
  var rehashes = false
  var watches = false
  /// Whether another one who publishes the catalog is waited for.
  var waits = false
}
