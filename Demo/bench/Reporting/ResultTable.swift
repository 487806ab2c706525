/// The figures of a scenario, row by row, as text.
enum ResultTable {
  static let headings = [
    "", "wall time", "from–to", "× best peer", "CPU", "peak", "requests", "bytes", "server",
    "wrong",
  ]

  static func rows(of result: ScenarioResult) -> [[String]] {
    result.contenders.map { contender in
      let (wall, best) = (contender.wall, result.best)
      let traffic = contender.samples.last?.traffic
      let requests = contender.value(.requests).map { Units.count(Int($0)) }
      return [
        contender.name, Units.time(wall.median),
        "\(Units.time(wall.least))–\(Units.time(wall.most))",
        best.map { Units.ratio(wall.median / $0) } ?? "–",
        Units.time(contender.series(\.cpu).median),
        Units.bytes(contender.series { Double($0.peak) }.median),
        requests ?? "–",
        traffic.map { Units.bytes(Double($0.bytes)) } ?? "–",
        Units.share(contender.series(\.serverShare).median),
        Units.count(contender.stale),
      ]
    }
  }

  /// Sentences on what only this scenario measures, and on what follows.
  static func remarks(on result: ScenarioResult) -> [String] {
    let extras = result.contenders.flatMap { contender in
      Set(contender.samples.flatMap(\.extra.keys)).sorted().map { name in
        let series = contender.series { $0.extra[name] }
        let figures = [series.median, series.least, series.most].map {
          Units.figure($0, .extra(name))
        }
        return "\(contender.name): \(name): \(figures[0]) (\(figures[1])–\(figures[2]))."
      }
    }
    return extras + result.remarks
  }

  /// What the contenders leave undone, a sentence each.
  static func lacks(in result: ScenarioResult) -> [String] {
    result.contenders.filter { !$0.lacks.isEmpty }.map { contender in
      "\(contender.name) doesn't \(contender.lacks.map(\.rawValue).joined(separator: ", "))."
    }
  }
}
