/// The figures of a scenario, row by row, as text.
enum ResultTable {
  /// A heading and the figure below it, for one contender.
  private typealias Column = (heading: String, figure: (ContenderResult) -> String)

  /// The headings, then a row for each contender.
  static func rows(of result: ScenarioResult) -> [[String]] {
    let columns =
      times(result) + (result.isServed ? traffic : []) + (result.copies ? outcome : [])
    return [columns.map(\.heading)]
      + result.contenders.map { contender in columns.map { $0.figure(contender) } }
  }

  private static func times(_ result: ScenarioResult) -> [Column] {
    [
      ("", \.name),
      ("wall time", { spread($0.wall, Units.time) }),
      (
        "× best peer",
        { contender in result.best.map { Units.ratio(contender.wall.median / $0) } ?? "–" }
      ),
      ("CPU", { spread($0.series(\.cpu), Units.time) }),
      ("peak", { spread($0.series { Double($0.peak) }, Units.bytes) }),
    ]
  }

  private static var traffic: [Column] {
    [
      ("requests", { spread($0.traffic(\.requests)) { Units.count(Int($0)) } }),
      ("bytes", { spread($0.traffic(\.bytes), Units.bytes) }),
      ("server", { Units.share($0.series(\.serverShare).median) }),
    ]
  }

  private static var outcome: [Column] {
    [
      ("wrong", { Units.count($0.stale) }),
      ("lacks", { $0.lacks.isEmpty ? "–" : $0.lacks.map(\.letter).joined() }),
    ]
  }

  /// The median, and the least and the most where they are others to read; a dash for no figures.
  private static func spread(_ series: Series?, _ text: (Double) -> String) -> String {
    guard let series else { return "–" }
    let (median, least, most) = (text(series.median), text(series.least), text(series.most))
    return least == most ? median : "\(median) (\(least)–\(most))"
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
