import Foundation

/// The programs of the system.
enum Tools {
  static func find(_ name: String) throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders =
      path.split(separator: ":").map(String.init) + ["/usr/local/sbin", "/usr/sbin", "/sbin"]
    for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
      return URL(filePath: "\(folder)/\(name)")
    }
    throw BenchProblem(description: "\(name) isn't there; Demo/bench/run installs what is missing")
  }

  /// Runs a program to its end and returns what it wrote; an error says what it said.
  @discardableResult
  static func run(_ name: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = name.contains("/") ? URL(filePath: name) : try find(name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let words = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .newlines)
      throw BenchProblem(
        description: "\(name) \(arguments.joined(separator: " ")) ended with "
          + "\(process.terminationStatus): \(words)")
    }
    return String(decoding: printed, as: UTF8.self)
  }

  /// The median of the seconds that a command takes.
  static func medianTime(of command: Command, rounds: Int) throws -> Double {
    try Series(
      (0..<rounds).map { _ in
        let began = ContinuousClock.now
        try run(command.program, command.arguments)
        return (ContinuousClock.now - began) / .seconds(1)
      }
    ).median
  }
}
