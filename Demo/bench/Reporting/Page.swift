import Foundation

/// The documentation's page "Benchmarks", with its charts.
struct Page {
  private let report: Report

  init(_ report: Report) {
    self.report = report
  }

  /// Writes the page and its charts into the catalog of the package at `folder`. What wasn't
  /// measured stays on the page as it was.
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
    let page = catalog.appending(path: "Benchmarks.md")
    let old = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    try text(keeping: old).write(to: page, atomically: true, encoding: .utf8)
  }

  /// The page, with the parts of an older one that weren't measured now.
  private func text(keeping old: String) -> String {
    let parts = Group.allCases.compactMap { part($0) ?? Self.part($0, of: old) }
    return """
      # Benchmarks

      For who asks what it costs: `mirror`, `records` and documents beside what people use
      today, side by side on one machine.

      ## Overview

      `Demo/bench/run --page` wrote this page: every figure was measured, none was typed in. All
      contenders of a scenario work in turn, each in a file system made fresh for each round. Shown
      is the median of the rounds and, behind it, the least and the most. "CPU" is the program's own
      processor time.

      \(parts.joined(separator: "\n\n"))

      """
  }

  /// What was measured of a part; `nil` for nothing.
  private func part(_ group: Group) -> String? {
    let scenarios = report.scenarios(of: group)
    guard !scenarios.isEmpty else { return nil }
    let machine = report.machine.sentences.joined(separator: "\n")
    return """
      ## \(group.title)

      \(group.introduction)

      \(report.form.prefix(1).uppercased() + report.form.dropFirst()). \(machine)

      \(report.closing(of: scenarios))

      \(scenarios.map(section).joined(separator: "\n\n"))
      """
  }

  /// A part as it stands on a page.
  private static func part(_ group: Group, of page: String) -> String? {
    let heading = "\n## \(group.title)\n"
    guard let start = page.range(of: heading)?.lowerBound else { return nil }
    let rest = page[page.index(after: start)...]
    let end = rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex
    return rest[..<end].trimmingCharacters(in: .newlines)
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
