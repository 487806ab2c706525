/// One option: how it is written, what it is for, and what it changes.
///
/// The table of these makes the parser, the help, the manual and the completions of shells; a file
/// or the environment may say the same options, each by its long name.
public struct Option<Request: CommandRequest>: Sendable {
  /// What an option is followed by.
  public enum Effect: Sendable {
    /// Nothing: it is said or not.
    case flag(@Sendable (inout Request) throws -> Void)
    /// A value, named as in the help.
    case value(String, @Sendable (inout Request, String) throws -> Void)
  }

  /// The long name, without its dashes.
  public var name: String
  /// The letter of its short form, if it has one.
  public var short: Character?
  /// The commands that take it.
  public var commands: Set<Request.Command>
  /// What it is for, in a few words.
  public var help: String
  /// The default as the help states it; `nil` where there is nothing to state.
  public var standard: String?
  /// Whether it may be said several times, each of which counts. Of others the last one does.
  public var isRepeatable: Bool
  /// Other options that this one contradicts or makes one list with: what is said on the command
  /// line puts out what a file says of them.
  public var rivals: Set<String>
  /// What a shell offers for its value.
  public var kind: ValueKind
  public var effect: Effect

  /// An option; where no kind is given, the placeholder of its value tells it.
  public init(
    _ name: String, short: Character? = nil, for commands: Set<Request.Command>, _ help: String,
    standard: String? = nil, isRepeatable: Bool = false, rivals: Set<String> = [],
    kind: ValueKind? = nil, _ effect: Effect
  ) {
    self.name = name
    self.short = short
    self.commands = commands
    self.help = help
    self.standard = standard
    self.isRepeatable = isRepeatable
    self.rivals = rivals
    self.effect = effect
    self.kind = .text
    self.kind = kind ?? placeholder.map(Self.kind(ofPlaceholder:)) ?? .text
  }

  /// What its value is called; `nil` for a flag.
  public var placeholder: String? {
    switch effect {
    case .flag: nil
    case .value(let placeholder, _): placeholder
    }
  }

  /// As the help writes it: `--retries N`, `-q, --quiet`.
  public var synopsis: String {
    let long = "--\(name)" + (placeholder.map { " \($0)" } ?? "")
    return short.map { "-\($0), \(long)" } ?? long
  }

  /// What the help says of it: its purpose, that it may be repeated, and its default.
  public var explanation: String {
    help + (isRepeatable ? " (may be repeated)" : "") + (standard.map { " [\($0)]" } ?? "")
  }

  /// The variable of the environment that says it, for a program of that name: `MIRROR_MAX_DELETE`.
  public func variable(of program: String) -> String {
    "\(program)_\(name)".uppercased().replacing("-", with: "_")
  }

  private static func kind(ofPlaceholder placeholder: String) -> ValueKind {
    let words = placeholder.split(separator: "|").map(String.init)
    if words.count > 1, words.allSatisfy({ $0 == $0.lowercased() && $0 != $0.uppercased() }) {
      return .words(words)
    }
    switch placeholder {
    case "FILE": return .file
    case "DIR", "FOLDER": return .directory
    default: return .text
    }
  }
}
