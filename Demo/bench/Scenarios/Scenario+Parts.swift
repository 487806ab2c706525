import Foundation

/// B12 and B13: parts that need no server.
extension Scenario {
  static func engineAlone(_ shop: Workshop) throws -> Scenario {
    let count = shop.amount(1_000_000, quick: 20_000)
    let memory = "bytes per item"
    let parts: [(EnginePart, String)] = [
      (.unchanged, "engine, unchanged"), (.downloads, "engine, downloads"),
      (.taskGroup, "task group by hand"), (.workers, "long-lived workers"),
    ]
    return Scenario(
      name: "B12", title: "The engine alone, \(Units.count(count)) items",
      note: "A processor that does nothing, \(EnginePart.width) downloads at once; beside a task "
        + "an item in a task group, and beside \(EnginePart.width) tasks that each take the next "
        + "item, as the floor. Times are of the work alone.",
      contenders: parts.map { part, name in
        Contender(
          part == .unchanged || part == .downloads ? .mirror : nil, name,
          Command(Workshop.program, "part", part.rawValue, "\(count)")
        ).examined { evidence, sample in
          let finding = try JSONDecoder().decode(
            EnginePart.Finding.self, from: Data(evidence.output.utf8))
          sample.wall = finding.seconds
          sample.extra[memory] = finding.bytesPerItem
        }
      },
      bars: [
        Bar("engine, unchanged", .wall, .atMost(0.2)),
        Bar("engine, unchanged", .extra(memory), .atMost(150)),
        Bar("engine, downloads", .wall, .atMost(0.15)),
        Bar("engine, downloads", .wall, .times(0.5, fastestOf: ["task group by hand"])),
      ])
  }

  static func start(_ shop: Workshop) throws -> Scenario {
    let programs: [(Peer, String)] = [
      (.mirror, shop.mirror), (.wget2, "wget2"), (.curl, "curl"), (.aria2, "aria2c"),
      (.lftp, "lftp"), (.rclone, "rclone"), (.rsync, "rsync"),
    ]
    var scenario = Scenario(
      name: "B13", title: "Start of the program",
      note: "What it takes to show the help.",
      contenders: programs.map { Contender($0, Command($1, "--help")) },
      bars: [Bar("mirror", .wall, .atMost(0.03))])
    // What a program leaves undone is no matter here.
    for number in scenario.contenders.indices { scenario.contenders[number].lacks = [] }
    scenario.repeats = 10
    return scenario
  }
}
