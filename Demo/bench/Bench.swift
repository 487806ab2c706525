import Foundation

/// Measures the parts: `bench engine`, or `bench transport URL COUNT WIDTH` for COUNT requests to
/// URL0, URL1, …, WIDTH at a time.
@main
struct Bench {
  static func main() async {
    do {
      try await run()
    } catch {
      fail("\(error)", status: 1)
    }
  }

  private static func run() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case nil, "engine":
      try await EngineBench.run()
    case "transport" where arguments.count == 4:
      let values = Array(arguments)
      guard let count = Int(values[2]), let width = Int(values[3]) else { fallthrough }
      try await TransportBench(prefix: values[1], count: count, width: width).run()
    default:
      fail("usage: bench [engine | transport URL COUNT WIDTH]", status: 64)
    }
  }

  private static func fail(_ sentence: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
    exit(status)
  }
}
