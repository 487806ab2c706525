import Foundation

/// The benchmark beside the peers; `Demo/bench/run --help` tells how it is used.
///
/// The program also starts itself, as `bench part NAME COUNT`, to measure the engine alone.
@main
struct Bench {
  static func main() async {
    // A contender that goes away early mustn't take the benchmark with it.
    signal(SIGPIPE, SIG_IGN)
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(error is UsageProblem ? 64 : 1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    switch arguments.first {
    case "part" where arguments.count == 3:
      guard let part = EnginePart(rawValue: arguments[1]), let count = Int(arguments[2]) else {
        throw UsageProblem(description: "bench part NAME COUNT; no part '\(arguments[1])'")
      }
      let finding = try await part.run(count: count)
      print(String(decoding: try JSONEncoder().encode(finding), as: UTF8.self))
    case "--help": print(BenchOptions.help)
    default: try Session(BenchOptions(arguments)).run()
    }
  }
}
