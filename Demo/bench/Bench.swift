import Foundation

/// The benchmark beside the peers; `Demo/bench/run --help` tells how it is used.
///
/// The program also starts itself: as `bench part NAME COUNT`, to measure the engine alone, and as
/// `bench records NAME DATABASE TABLE SOURCE`, to measure records as a library, and as
/// `bench documents NAME COUNT DATABASE`, to measure the store of documents.
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
      try tell(finding)
    case "records" where arguments.count == 5:
      guard let part = RecordPart(rawValue: arguments[1]) else {
        throw UsageProblem(
          description: "bench records NAME DATABASE TABLE SOURCE; no part '\(arguments[1])'")
      }
      try tell(
        try await part.run(database: arguments[2], table: arguments[3], source: arguments[4]))
    case "documents" where arguments.count == 4:
      guard let part = DocumentPart(rawValue: arguments[1]), let count = Int(arguments[2]) else {
        throw UsageProblem(
          description: "bench documents NAME COUNT DATABASE; no part '\(arguments[1])'")
      }
      try tell(try await part.run(count: count, database: arguments[3]))
    case _ where arguments.contains("--help"): print(BenchOptions.help)
    default: try Session(BenchOptions(arguments)).run()
    }
  }

  private static func tell(_ finding: some Encodable) throws {
    print(String(decoding: try JSONEncoder().encode(finding), as: UTF8.self))
  }
}
