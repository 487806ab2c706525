import Console

extension Summary {
  func tell(_ style: Invocation.Style, _ took: Duration) -> ExitStatus {
    switch style {
    case .people:
      for line in made + tables { Streams.out(line) }
      for line in NoticeLines.lines(of: report) { Streams.error("records: \(line)") }
      Streams.out("\(sentence) (\(Amounts.time(took)))")
    case .quiet:
      for line in NoticeLines.refusals(of: report) { Streams.error("records: \(line)") }
    case .json:
      JSONLine.write("report") { line in
        report.write(to: &line)
        if purpose == .verify { line.add("equal", isEqual) }
        line.add("sentence", sentence)
      }
    }
    if let advice { Streams.error("records: \(advice)") }
    return status
  }
}
