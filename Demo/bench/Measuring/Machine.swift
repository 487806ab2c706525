import CSyncSQLite
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

  static func look(_ shop: Workshop, for groups: [Group]) throws -> Machine {
    var loads = [0.0]
    getloadavg(&loads, 1)
    return Machine(
      date: Date().ISO8601Format(), processor: field("model name", of: "/proc/cpuinfo"),
      cores: ProcessInfo.processInfo.activeProcessorCount,
      memory: Int(ProcessInfo.processInfo.physicalMemory),
      system: field("PRETTY_NAME", of: "/etc/os-release"),
      kernel: "Linux \(version(in: try Tools.run("uname", ["-r"])))", load: loads[0],
      versions: try versions(shop, groups), floor: try floor(shop))
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

  private static func versions(_ shop: Workshop, _ groups: [Group]) throws -> [String] {
    let peers = try Peer.allCases.filter { !$0.groups.isDisjoint(with: groups) }.compactMap {
      peer in
      try peer.versionCommand(in: shop).map { program, arguments in
        "\(peer.rawValue) \(version(in: try Tools.run(program, arguments)))"
      }
    }
    let nginx = ["nginx \(version(in: try Tools.run("sh", ["-c", "nginx -v 2>&1"])))"]
    let isServed = !Set(groups).isDisjoint(with: [.mirror, .catalogs, .packed])
    let apache =
      groups.contains(.catalogs)
      ? ["Apache \(version(in: try Tools.run("apache2", ["-v"])))"] : []
    let sqlite = ["SQLite \(String(cString: sqlite3_libversion()))"]
    return peers + (isServed ? nginx : []) + apache
      + (Set(groups).isDisjoint(with: [.records, .nested, .documents]) ? [] : sqlite)
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
