import Foundation

/// The documentation's page "Benchmarks", with its charts.
struct Page {
  private let report: Report

  init(_ report: Report) {
    self.report = report
  }

  /// Writes the page and its charts into the catalog of the package at `folder`.
  func write(below folder: URL) throws {
    let catalog = folder.appending(
      path: "Sources/OneWaySynchronizer/OneWaySynchronizer.docc", directoryHint: .isDirectory)
    let resources = catalog.appending(path: "Resources", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
    for result in report.scenarios {
      for theme in Chart.Theme.allCases {
        let name = "Benchmark-\(result.name)\(theme.suffix).svg"
        try Chart(result, theme).svg.write(
          to: resources.appending(path: name), atomically: true, encoding: .utf8)
      }
    }
    try text.write(
      to: catalog.appending(path: "Benchmarks.md"), atomically: true, encoding: .utf8)
  }

  private var text: String {
    """
    # Benchmarks

    `mirror` beside what people use today, side by side on one machine.

    ## Overview

    `Demo/bench/run --page` wrote this page: every figure was measured, none was typed in. All
    contenders fetch from one nginx on loopback, in turn, into a file system made fresh for each
    round (\(report.form)). Shown is the median of the rounds and, behind it, the least and the
    most. "CPU" is the program's own processor time, "server" what nginx took of two cores, "wrong"
    how many files of the copy were missing or out of date afterwards. Unless it is said otherwise,
    `mirror` verified every digest and its copies survive a power cut.

    \(report.machine.sentences.joined(separator: "\n"))

    \(report.closing)

    \(report.scenarios.map(section).joined(separator: "\n\n"))

    """
  }

  private func section(_ result: ScenarioResult) -> String {
    let verdicts = result.verdicts.map { "\($0.isMet ? "Met" : "**Not met**"): \($0.sentence)." }
    let notes = ResultTable.legend(of: result) + ResultTable.remarks(on: result) + verdicts
    let commands = result.contenders.map { "# \($0.name)\n\($0.command)" }
    return """
      ### \(result.name): \(result.title)

      \(result.note)

      ![Wall time of each contender; the table below has the figures.](Benchmark-\(result.name))

      \(table(ResultTable.rows(of: result)))

      \(notes.map { "- \($0)" }.joined(separator: "\n"))

      ```
      \(commands.joined(separator: "\n"))
      ```
      """
  }

  private func table(_ rows: [[String]]) -> String {
    let lines = rows.map { "| \($0.joined(separator: " | ")) |" }
    let rule = "| --- |" + String(repeating: " ---: |", count: rows[0].count - 1)
    return ([lines[0], rule] + lines.dropFirst()).joined(separator: "\n")
  }
}
