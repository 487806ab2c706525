import CatalogMirror
import Console

/// One JSON object a line. Every object has the members `event` and `time`; the others depend on
/// the event and are listed on the page `JSONOutput`. Members are only ever added.
struct JSONReporter: Reporter {
  var interval: Duration? { .seconds(1) }

  func show(_ event: MirrorEvent) {
    JSONLine.write(event.name, .counted) { event.write(to: &$0) }
  }

  func show(_ progress: MirrorProgress, elapsed: Duration) {
    JSONLine.write("progress", .fleeting) { line in
      progress.write(to: &line)
      line.addSeconds("seconds", elapsed)
    }
  }

  func show(_ report: MirrorReport) {
    JSONLine.write("ended") { report.write(to: &$0) }
    if report.hasNewUnreadable {
      for line in Summary.lines(forUnreadable: report.unreadable) {
        Streams.error("mirror: \(line)")
      }
    }
    if let advice = Summary.advice(for: report) { Streams.error("mirror: \(advice)") }
  }

  func show(leftOut count: Int) {
    JSONLine.write("leftOut") { $0.add("count", count) }
  }
}

extension JSONMembers {
  mutating func addFailures(
    _ name: String, as subject: String = "key", _ failures: [(String?, String)]
  ) {
    array(name) { list in
      for (key, error) in failures.prefix(FailureLines.mostListed) {
        list.object { failure in
          if let key { failure.add(subject, key) }
          failure.add("error", error)
        }
      }
    }
  }
}

extension MirrorProgress {
  func write(to line: inout JSONMembers) {
    line.add("stage", stage.rawValue)
    line.add("items", itemsDone)
    line.add("itemsTotal", itemsTotal)
    line.add("bytes", bytesDone)
    line.add("copiedBytes", bytesCopied)
    line.add("bytesTotal", bytesTotal)
    line.add("failed", failed)
  }
}

extension MirrorReport {
  func write(to line: inout JSONMembers) {
    line.add("outcome", word)
    line.add("status", Int(status.rawValue))
    if let timeLimit { line.addSeconds("timeLimit", timeLimit) }
    for (name, count) in [
      ("listed", listed), ("added", added), ("updated", updated), ("repaired", repaired),
      ("previews", previews), ("adopted", adopted), ("confirmed", confirmed),
      ("equal", equal), ("copied", copied), ("packed", packed),
      ("packRequests", packRequests), ("packsGivenUp", packsGivenUp),
      ("removed", removed), ("displaced", displaced), ("kept", kept), ("failed", failed),
      ("refusedItems", refusedItems), ("heldBack", heldBack),
      ("excluded", leftOut), ("outside", outside),
    ] {
      line.add(name, count)
    }
    line.add("bytes", bytes)
    line.add("copiedBytes", copiedBytes)
    line.add("newFilters", hasNewScope)
    line.add("remarks", remarks.map(\.description))
    line.add("unchanged", wasUnchanged)
    let refused = outcome.refusedRemoval
    line.add("refused", refused?.count ?? 0)
    line.add("refusedOf", refused?.of ?? 0)
    if let sourceModified { line.addDate("sourceModified", sourceModified) }
    line.add("partial", partial.map(\.told))
    line.addSeconds("seconds", duration)
    line.addFailures("unreadable", as: "url", unreadable.map { ($0.key, $0.told) })
    line.add("unreadableIsNew", hasNewUnreadable)
    line.addFailures("flaws", flaws.map { ($0.key, $0.told) })
    line.addFailures("failures", failures.map { ($0.key, $0.told) })
  }
}
