import Foundation

/// A program with its arguments, run in the folder in which `copy` is made.
struct Command: Codable, Equatable {
  var program: String
  var arguments: [String]

  init(_ program: String, _ arguments: [String]) {
    (self.program, self.arguments) = (program, arguments)
  }

  init(_ program: String, _ arguments: String...) {
    self.init(program, arguments)
  }

  /// Several commands in a row, each only if the one before succeeded.
  static func inTurn(_ commands: String...) -> Command {
    Command("sh", "-c", commands.joined(separator: " && "))
  }

  /// The command with at most this many descriptors open at once; what needs one more fails.
  func limited(toDescriptors count: Int) -> Command {
    Command("prlimit", ["--nofile=\(count):\(count)", program] + arguments)
  }

  /// What a person would type; `places` are written in place of the long names that they stand for.
  func text(naming places: [(name: String, value: String)]) -> String {
    let words = ([program] + arguments).map { word in
      let isPlain = !word.isEmpty && !word.contains { " '\"$&;|*?<>()".contains($0) }
      return isPlain ? word : "'\(word)'"
    }
    return places.filter { !$0.value.isEmpty }.reduce(words.joined(separator: " ")) {
      $0.replacingOccurrences(of: $1.value, with: $1.name)
    }
  }
}
