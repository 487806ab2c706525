extension ProgramDescription {
  /// What the environment says of a command's options: `MIRROR_RETRIES=3` for `--retries 3`. An
  /// option that may be repeated is said once a line. Variables that are empty, or that name no
  /// option of the command, say nothing.
  ///
  /// Throws ``UsageError``, which names the variable.
  public func settings(
    of environment: [String: String], for command: Request.Command
  ) throws -> [Setting] {
    var trial = Request(command: command)
    return try table.options(for: command).flatMap { option -> [Setting] in
      let variable = option.variable(of: name)
      guard let text = environment[variable], !text.isEmpty else { return [] }
      let values = option.isRepeatable ? text.split(separator: "\n").map(String.init) : [text]
      let settings = values.map { Setting(option.name, $0) }
      for setting in settings {
        do {
          try table.apply(setting, to: &trial)
        } catch let error as UsageError {
          throw UsageError("\(variable): \(error)")
        }
      }
      return settings
    }
  }
}
