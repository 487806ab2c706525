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
  /// The first line that each program tells of itself.
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
      kernel: try firstLine("uname", ["-sr"]), load: loads[0],
      versions: try versions(shop), floor: try floor(shop))
  }

  var sentences: [String] {
    [
      "\(processor), \(cores) cores, \(Units.bytes(Double(memory))); \(system), \(kernel); \(date).",
      versions.joined(separator: "; ") + ".",
      "Load before the first round: \(String(format: "%.2f", load)). "
        + "Peaks of memory below \(Units.bytes(Double(floor))) can't be told apart.",
    ]
  }

  private static func versions(_ shop: Workshop) throws -> [String] {
    // nginx tells its version on standard error.
    let nginx = try firstLine("sh", ["-c", "nginx -v 2>&1"])
    return try Peer.allCases.map { peer in
      let (program, arguments) = peer.versionCommand
      return try firstLine(peer == .mirror ? shop.mirror : program, arguments)
    } + [nginx.replacingOccurrences(of: "nginx version: ", with: "")]
  }

  /// What the launcher makes of a program that needs nothing.
  private static func floor(_ shop: Workshop) throws -> Int {
    try Launch(shop: shop).run(Command("true"), in: shop.work).peak
  }

  private static func firstLine(_ program: String, _ arguments: [String]) throws -> String {
    let lines = try Tools.run(program, arguments).split(separator: "\n")
    return lines.first?.trimmingCharacters(in: .whitespaces) ?? program
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
