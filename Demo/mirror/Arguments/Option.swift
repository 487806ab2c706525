/// One option: how it is written, what it is for, and what it changes. The table of these is both
/// the parser and the help.
struct Option: Sendable {
  /// What an option is followed by.
  enum Effect: Sendable {
    /// Nothing: it is said or not.
    case flag(@Sendable (inout Invocation) throws -> Void)
    /// A value, named as in the help.
    case value(String, @Sendable (inout Invocation, String) throws -> Void)
  }

  var name: String
  var commands: Set<Invocation.Command>
  var help: String
  /// The default as the help states it; `nil` where there is nothing to state.
  var standard: String?
  var effect: Effect

  init(
    _ name: String, for commands: Set<Invocation.Command>, _ help: String,
    standard: String? = nil, _ effect: Effect
  ) {
    self.name = name
    self.commands = commands
    self.help = help
    self.standard = standard
    self.effect = effect
  }

  /// As the help writes it: `--retries N`.
  var synopsis: String {
    switch effect {
    case .flag: "--\(name)"
    case .value(let placeholder, _): "--\(name) \(placeholder)"
    }
  }
}
