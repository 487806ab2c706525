extension ProgramDescription {
  /// The page of the manual for the program, or for the command of that name.
  ///
  /// Throws ``UsageError`` for a name that is none.
  /// - Parameter date: The day of the program's version, as `2026-11-22`.
  public func manual(of name: String?, date: String) throws -> String {
    let command = try name.map { name in
      guard let command = Request.Command(rawValue: name) else {
        throw UsageError("'\(name)' is no command; '\(self.name) --help' lists them")
      }
      return command
    }
    return Manual(self, date: date).page(for: command)
  }

  /// What the shell of that name reads to complete commands and options.
  ///
  /// Throws ``UsageError`` for a name that is none.
  public func completion(for name: String) throws -> String {
    let shell: Completion<Request>.Shell = try Value.raw(name)
    return Completion(self).script(for: shell)
  }
}
