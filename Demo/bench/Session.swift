import Foundation

/// One run of the benchmark, from the first server to the last report.
struct Session {
  private let options: BenchOptions

  init(_ options: BenchOptions) {
    self.options = options
  }

  func run() throws {
    guard geteuid() == 0 else {
      throw BenchProblem(
        description: "the benchmark mounts file systems of its own; run it as root")
    }
    let shop = try Workshop(options)
    defer { shop.close() }
    var report = Report(machine: try Machine.look(shop, for: options.groups), options: options)
    Self.tell(report.machine.sentences.joined(separator: "\n"))
    for entry in Scenario.all where options.only.contains(entry.name) {
      var scenario = try entry.make(shop)
      if let earlier = shop.earlier { scenario.compare(shop.mirror, with: earlier) }
      let result = try Rounds(shop: shop, scenario: scenario, say: Self.say).run()
      report.scenarios.append(result)
      Self.tell(TerminalTable.text(of: result))
      // Each time, so that a long run that ends early isn't lost.
      if let file = options.jsonFile { try report.json.write(to: URL(filePath: file)) }
    }
    if options.writesPage { try Page(report).write(below: URL(filePath: options.package)) }
    Self.tell(report.closing)
  }

  /// At once also into a file: a long run may be ended early.
  private static func tell(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  private static func say(_ line: String) {
    FileHandle.standardError.write(Data("  \(line)\n".utf8))
  }
}
