import Foundation

extension Scenario {
  /// Has another build of a program do what the program does, in place of all others.
  mutating func compare(_ program: String, with earlier: String) {
    contenders = contenders.filter { $0.command.names(program) }.flatMap { contender in
      var other = contender
      other.name += ", earlier"
      other.command = contender.command.replacing(program, with: earlier)
      other.first = contender.first?.replacing(program, with: earlier)
      return [contender, other]
    }
    // The bars are about the peers, and remarks look for them.
    bars = []
    remarks = { _ in [] }
  }
}

extension Command {
  fileprivate func names(_ other: String) -> Bool {
    ([program] + arguments).contains { $0.contains(other) }
  }

  fileprivate func replacing(_ program: String, with other: String) -> Command {
    let words = ([self.program] + arguments).map {
      $0.replacingOccurrences(of: program, with: other)
    }
    return Command(words[0], Array(words.dropFirst()))
  }
}
