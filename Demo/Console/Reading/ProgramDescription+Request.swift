extension ProgramDescription {
  /// What is asked for: the command with all that was said of its options.
  /// - Parameter others: What other places say of options, the strongest first; the command line
  ///   is stronger than all. Whoever reads these places applies each setting once before, to say
  ///   where a mistake stands: here every mistake is taken for one of the command line.
  public func request(
    _ words: CommandLineWords<Request.Command>, over others: [[Setting]] = []
  ) throws -> Request {
    var request = Request(command: words.command)
    do {
      try apply(table.merged([words.settings] + others, for: words.command), to: &request)
      try check(words.operands, by: request)
      try request.take(words.operands)
    } catch let error as UsageError {
      throw error.pointing(to: help(of: words.command))
    }
    return request
  }

  private func apply(_ settings: [Setting], to request: inout Request) throws {
    for setting in settings {
      do {
        try table.apply(setting, to: &request)
      } catch let error as UsageError {
        throw UsageError("--\(setting.name): \(error.description)")
      }
    }
  }

  private func check(_ operands: [String], by request: Request) throws {
    if let problem = request.problem(with: operands) { throw problem }
    let expected = request.operands
    let words = Request.Command.synopsis(request.command.rawValue, expected)
    let synopsis = ([name] + words).joined(separator: " ")
    let needed = expected.prefix { $0.count == .one }
    guard operands.count >= needed.count else {
      throw UsageError("\(needed[operands.count].name) is missing: \(synopsis)")
    }
    if operands.count > expected.count, expected.last?.count != .any {
      throw UsageError("'\(operands[expected.count])' is too much: \(synopsis)")
    }
    if let place = operands.firstIndex(of: ""), let last = expected.last {
      let operand = place < expected.count ? expected[place] : last
      if operand.mayBeEmpty { return }
      throw UsageError("\(operand.name) is empty; give a name")
    }
  }
}
