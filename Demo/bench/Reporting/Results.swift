import Foundation

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
    isOurs = contender.peer == .mirror
    command = contender.command.text(naming: places)
    lacks = contender.lacks
    self.samples = samples
  }

  /// The same figure of every round.
  func series(_ figure: (Sample) -> Double?) -> Series { Series(samples.compactMap(figure)) }

  var wall: Series { series(\.wall) }

  /// Files that were missing or wrong in the worst round.
  var stale: Int { samples.map(\.stale).max() ?? 0 }

  /// What a bar looks at; nothing where no round measured it.
  func value(_ measure: Bar.Measure) -> Double? {
    switch measure {
    case .wall: wall.median
    case .peak: series { Double($0.peak) }.median
    case .requests: samples.compactMap { $0.traffic.map { Double($0.requests) } }.max()
    case .extra(let name):
      samples.contains { $0.extra[name] != nil } ? series { $0.extra[name] }.median : nil
    }
  }
}

/// Whether a bar is met, and by what figures.
struct Verdict: Codable {
  var sentence: String
  /// The figure, or its ratio to the peer's.
  var value: Double
  var limit: Double
  var isMet: Bool
}

/// What a scenario came to.
struct ScenarioResult: Codable {
  var name: String
  var title: String
  var note: String
  /// Whether a copy was made, or looked at.
  var copies: Bool
  var contenders: [ContenderResult]
  /// None where the data was too small to judge by.
  var verdicts: [Verdict]
  var remarks: [String]

  init(_ scenario: Scenario, _ contenders: [ContenderResult], isJudged: Bool) {
    (name, title, note) = (scenario.name, scenario.title, scenario.note)
    copies = scenario.room != nil
    self.contenders = contenders
    verdicts = []
    remarks = scenario.remarks(contenders)
    if isJudged { verdicts = scenario.bars.compactMap { verdict(on: $0) } }
  }

  /// The least wall time among the peers whose copies were right.
  var best: Double? {
    contenders.filter { !$0.isOurs && $0.stale == 0 }.map(\.wall.median).min()
  }

  private func verdict(on bar: Bar) -> Verdict? {
    guard let result = contenders.first(where: { $0.name == bar.contender }),
      let value = result.value(bar.measure)
    else { return nil }
    switch bar.limit {
    case .atMost(let limit):
      return Verdict(
        sentence: "\(result.name): \(bar.measure.words) \(Units.figure(value, bar.measure)), "
          + "at most \(Units.figure(limit, bar.measure))",
        value: value, limit: limit, isMet: value <= limit)
    case .times(let limit, let names):
      let rivals = contenders.filter { names.contains($0.name) && $0.stale == 0 }
      guard let fastest = rivals.min(by: { $0.wall.median < $1.wall.median }) else { return nil }
      let ratio = value / fastest.wall.median
      return Verdict(
        sentence: "\(result.name): \(Units.ratio(ratio)) \(fastest.name), "
          + "at most \(Units.ratio(limit)) the fastest of \(names.joined(separator: ", "))",
        value: ratio, limit: limit, isMet: ratio <= limit)
    }
  }
}

extension Bar.Measure {
  /// What a sentence calls it.
  var words: String {
    switch self {
    case .wall: "wall time"
    case .peak: "peak memory"
    case .requests: "requests"
    case .extra(let name): name
    }
  }
}
