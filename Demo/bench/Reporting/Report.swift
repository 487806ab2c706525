import Foundation

/// All that one run found out.
struct Report: Codable {
  var machine: Machine
  var isQuick: Bool
  var scale: Double
  var rounds: Int
  var scenarios: [ScenarioResult] = []

  init(machine: Machine, options: BenchOptions) {
    self.machine = machine
    (isQuick, scale) = (options.isQuick, options.scale)
    rounds = options.isQuick ? 1 : options.rounds
  }

  /// How it was measured.
  var form: String {
    if isQuick { return "the quick form, with small data, one round and no warm-up" }
    return "\(rounds) rounds after a warm-up"
      + (scale < 1 ? ", with \(Units.share(scale)) of the data" : "")
  }

  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }

  /// The scenarios of a part.
  func scenarios(of group: Group) -> [ScenarioResult] {
    let names = Scenario.names(of: group)
    return scenarios.filter { names.contains($0.name) }
  }

  /// How many bars are met, in a sentence.
  var closing: String {
    closing(of: scenarios)
  }

  /// How many bars of these are met, in a sentence.
  func closing(of scenarios: [ScenarioResult]) -> String {
    let verdicts = scenarios.flatMap(\.verdicts)
    guard !verdicts.isEmpty else {
      let traffic = isQuick ? "requests, bytes, descriptors" : "requests, bytes"
      return "All \(traffic), rows and copies were as they have to be; no time was judged."
    }
    return "\(verdicts.count { $0.isMet }) of \(verdicts.count) bars are met."
  }
}
