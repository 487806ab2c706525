/// The figures of a scenario, row by row, as text.
enum ResultTable {
  /// A heading and the figure below it, for one contender.
  private typealias Column = (heading: String, figure: (ContenderResult) -> String)

  /// The headings, then a row for each contender.
  static func rows(of result: ScenarioResult) -> [[String]] {
    let columns = times(result) + (result.copies ? copying : [])
    return [columns.map(\.heading)]
      + result.contenders.map { contender in columns.map { $0.figure(contender) } }
  }

  private static func times(_ result: ScenarioResult) -> [Column] {
    [
      ("", \.name),
      ("wall time", { Units.time($0.wall.median) }),
      ("from–to", { "\(Units.time($0.wall.least))–\(Units.time($0.wall.most))" }),
      (
        "× best peer",
        { contender in result.best.map { Units.ratio(contender.wall.median / $0) } ?? "–" }
      ),
      ("CPU", { Units.time($0.series(\.cpu).median) }),
      ("peak", { Units.bytes($0.series { Double($0.peak) }.median) }),
    ]
  }

  private static var copying: [Column] {
    [
      ("requests", { $0.value(.requests).map { Units.count(Int($0)) } ?? "–" }),
      ("bytes", { $0.samples.last?.traffic.map { Units.bytes(Double($0.bytes)) } ?? "–" }),
      ("server", { Units.share($0.series(\.serverShare).median) }),
      ("wrong", { Units.count($0.stale) }),
      ("lacks", { $0.lacks.isEmpty ? "–" : $0.lacks.map(\.letter).joined() }),
    ]
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

  /// What the letters stand for, where there are any.
  static func legend(of result: ScenarioResult) -> [String] {
    let lacks = Set(result.contenders.flatMap(\.lacks))
    let words = Peer.Lack.allCases.filter { lacks.contains($0) }.map {
      "\($0.letter): \($0.rawValue)"
    }
    return words.isEmpty ? [] : ["Lacks: what is left undone. \(words.joined(separator: "; "))."]
  }
}
