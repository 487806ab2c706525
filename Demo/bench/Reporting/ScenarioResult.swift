/// What a scenario came to.
struct ScenarioResult: Codable {
  var name: String
  var title: String
  var note: String
  /// Whether a copy was made, or looked at.
  var copies: Bool
  /// Whether a server was asked for it.
  var isServed: Bool
  var contenders: [ContenderResult]
  /// None where the data was too small to judge by.
  var verdicts: [Verdict]
  var remarks: [String]

  init(_ scenario: Scenario, _ contenders: [ContenderResult], isJudged: Bool) throws {
    (name, title, note) = (scenario.name, scenario.title, scenario.note)
    copies = scenario.room != nil
    isServed = copies && scenario.isServed
    self.contenders = contenders
    remarks = scenario.remarks(contenders)
    // Also where no time is judged each bar has to find what it speaks of, and counts have to hold.
    let all = try scenario.bars.map { try $0.verdict(on: contenders) }
    let broken = zip(scenario.bars, all).first { $0.measure.isCounted && !$1.isMet }
    if !isJudged, let sentence = broken?.1.sentence {
      throw BenchProblem(description: "\(name), not met: \(sentence)")
    }
    verdicts = isJudged ? all : []
  }

  /// The least wall time among the peers whose copies were right.
  var best: Double? {
    contenders.filter { !$0.isOurs && $0.stale == 0 }.map(\.wall.median).min()
  }
}
