/// What a contender came to in all rounds.
struct ContenderResult: Codable {
  var name: String
  var isOurs: Bool
  /// The command line, as a person would type it.
  var command: String
  var lacks: [Peer.Lack]
  var samples: [Sample]

  init(_ contender: Contender, _ samples: [Sample], places: [(name: String, value: String)]) {
    name = contender.name
    isOurs = contender.peer?.isOurs == true
    command = contender.command.text(naming: places)
    lacks = contender.lacks
    self.samples = samples
  }

  /// The same figure of every round.
  func series(_ figure: (Sample) -> Double?) -> Series { Series(samples.compactMap(figure)) }

  var wall: Series { series(\.wall) }

  /// What nginx was asked for; nothing where another server answered.
  func traffic(_ figure: (AccessLog.Traffic) -> Int) -> Series? {
    let figures = samples.compactMap { $0.traffic.map { Double(figure($0)) } }
    return figures.isEmpty ? nil : Series(figures)
  }

  /// Files that were missing or wrong in the worst round.
  var stale: Int { samples.map(\.stale).max() ?? 0 }

  /// What a bar looks at; nothing where no round measured it.
  func value(_ measure: Bar.Measure) -> Double? {
    switch measure {
    case .wall: wall.median
    case .peak: series { Double($0.peak) }.median
    case .requests: samples.compactMap { $0.traffic.map { Double($0.requests) } }.max()
    case .extra(let name), .counted(let name):
      samples.contains { $0.extra[name] != nil } ? series { $0.extra[name] }.median : nil
    }
  }
}
