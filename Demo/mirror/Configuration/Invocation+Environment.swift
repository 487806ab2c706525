import Console

extension Invocation {
  /// What a command line asks for, where the environment says the rest: `MIRROR_RETRIES=3`.
  ///
  /// A configuration that only the environment names is set aside where the command line names a
  /// catalog, which is an address, or for who looks at a folder, a path with a slash: as hardly any
  /// mirror's name is.
  init(_ words: CommandLineWords<Command>, in environment: [String: String]) throws {
    var said = try Self.program.settings(of: environment, for: words.command)
    let sign = words.command.operands.first?.name == "FOLDER" ? "/" : "://"
    if words.operands.first?.contains(sign) ?? false { said.removeAll { $0.name == "config" } }
    self = try Self.program.request(words, over: [said])
    source = unattended.config.map { ConfigurationSource($0, words, environment: said) }
  }
}
