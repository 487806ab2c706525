import Foundation

/// Where and with what the benchmark ran.
struct Machine: Codable {
  var date: String
  var processor: String
  var cores: Int
  var memory: Int
  var system: String
  var kernel: String
  /// How busy the machine was before the first round (the load of the last minute).
  var load: Double
  /// The programs and their versions, as they tell them.
  var versions: [String]
  /// The least peak memory that can be seen.
  var floor: Int

  static func look(_ shop: Workshop) throws -> Machine {
    var loads = [0.0]
    getloadavg(&loads, 1)
    return Machine(
      date: Date().ISO8601Format(), processor: field("model name", of: "/proc/cpuinfo"),
      cores: ProcessInfo.processInfo.activeProcessorCount,
      memory: Int(ProcessInfo.processInfo.physicalMemory),
      system: field("PRETTY_NAME", of: "/etc/os-release"),
      kernel: "Linux \(version(in: try Tools.run("uname", ["-r"])))", load: loads[0],
      versions: try versions(shop), floor: try floor(shop))
  }

  var sentences: [String] {
    [
      """
      \(date), \(processor), \(cores) cores, \(Units.bytes(Double(memory))), \(system), \
      \(kernel).
      """,
      versions.joined(separator: "; ") + ".",
      "Load before the first round: \(String(format: "%.2f", load)). "
        + "Peaks of memory below \(Units.bytes(Double(floor))) can't be told apart.",
    ]
  }

  private static func versions(_ shop: Workshop) throws -> [String] {
    try Peer.allCases.map { peer in
      let (program, arguments) = peer.versionCommand
      let text = try Tools.run(peer == .mirror ? shop.mirror : program, arguments)
      return "\(peer.rawValue) \(version(in: text))"
    } + ["nginx \(version(in: Tools.run("sh", ["-c", "nginx -v 2>&1"])))"]
  }

  /// The first number with dots.
  private static func version(in text: String) -> String {
    text.firstMatch(of: /[0-9]+(\.[0-9]+)+/).map { String($0.output.0) } ?? "of unknown version"
  }

  /// What the launcher makes of a program that needs nothing.
  private static func floor(_ shop: Workshop) throws -> Int {
    try Launch(shop: shop).run(Command("true"), in: shop.work).peak
  }

  private static func field(_ name: String, of file: String) -> String {
    let lines = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix(name) }),
      let mark = line.firstIndex(where: { $0 == ":" || $0 == "=" })
    else { return "" }
    return line[line.index(after: mark)...].trimmingCharacters(
      in: CharacterSet(charactersIn: " \""))
  }
}
