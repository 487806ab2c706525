/// Whether a bar is met, and by what figures.
struct Verdict: Codable {
  var sentence: String
  /// The figure, or its ratio to the peer's.
  var value: Double
  var limit: Double
  var isMet: Bool
}

extension Bar {
  /// Holds the bar against what was measured.
  func verdict(on results: [ContenderResult]) throws -> Verdict {
    guard let result = results.first(where: { $0.name == contender }),
      let value = result.value(measure)
    else {
      throw BenchProblem(description: "a bar speaks of '\(contender)', which wasn't measured")
    }
    switch limit {
    case .atMost(let limit):
      return Verdict(
        sentence: "\(contender): \(measure.words) \(Units.figure(value, measure)), "
          + "at most \(Units.figure(limit, measure))",
        value: value, limit: limit, isMet: value <= limit)
    case .times(let limit, let names):
      let rivals = results.filter { names.contains($0.name) && $0.stale == 0 }
      guard let fastest = rivals.min(by: { $0.wall.median < $1.wall.median }) else {
        throw BenchProblem(
          description: "none of \(names.joined(separator: ", ")) made a right copy")
      }
      let ratio = value / fastest.wall.median
      return Verdict(
        sentence: "\(contender): \(Units.ratio(ratio)) \(fastest.name), "
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
    case .extra(let name), .counted(let name): name
    }
  }
}
