import CatalogMirror
import Foundation

/// One JSON object a line. Every object has a member `event`; the others depend on it and are
/// listed in the README. Members are only ever added.
struct JSONReporter: Reporter {
  var interval: Duration? { .seconds(1) }

  func show(_ event: MirrorEvent) {
    switch event {
    case .waiting(let holder):
      var members: [String: Any] = [:]
      if let holder { members = ["process": Int(holder.process), "since": holder.since] }
      write("waiting", members)
    case .stage(let stage): write("stage", ["stage": stage.rawValue])
    case .page(let url, let isUnchanged):
      write("page", ["url": url, "unchanged": isUnchanged])
    case .listed(let entries, let partial):
      write("listed", ["entries": entries, "partial": partial.map(\.told)])
    case .planned(let items, let bytes): write("planned", ["items": items, "bytes": bytes])
    case .fetched(let key, let transfer, let bytes, let reason):
      write(
        "fetched",
        ["key": key, "transfer": transfer.rawValue, "bytes": bytes, "reason": reason])
    case .adopted(let key): write("adopted", ["key": key])
    case .confirmed(let key): write("confirmed", ["key": key])
    case .displaced(let key, let place): write("displaced", ["key": key, "to": place])
    case .failed(let key, let sentence, let advice):
      write("failed", ["key": key, "error": Advice.adding(advice, to: sentence)])
    case .removed(let key): write("removed", ["key": key])
    case .rebuildingIndex(let aside): write("rebuilding", ["aside": aside])
    case .retrying(let url, let retry, let wait, let reason, let advice):
      write(
        "retrying",
        [
          "url": url, "retry": retry, "wait": wait / .seconds(1),
          "error": Advice.adding(advice, to: reason),
        ])
    }
  }

  func show(_ progress: MirrorProgress, elapsed: Duration) {
    write(
      "progress",
      [
        "stage": progress.stage.rawValue, "items": progress.itemsDone,
        "itemsTotal": progress.itemsTotal, "bytes": progress.bytesDone,
        "bytesTotal": progress.bytesTotal, "failed": progress.failed,
        "seconds": elapsed / .seconds(1),
      ], .fleeting)
  }

  func show(_ report: MirrorReport) {
    write(
      "ended",
      [
        "outcome": report.outcome.word, "status": Int(report.outcome.status.rawValue),
        "listed": report.listed, "added": report.added, "updated": report.updated,
        "repaired": report.repaired, "previews": report.previews, "adopted": report.adopted,
        "confirmed": report.confirmed, "removed": report.removed,
        "displaced": report.displaced, "kept": report.kept, "bytes": report.bytes,
        "unchanged": report.wasUnchanged, "partial": report.partial.map(\.told),
        "seconds": report.duration / .seconds(1),
        "unreadable": Self.listed(report.unreadable, as: "url"),
        "unreadableIsNew": report.hasNewUnreadable,
        "failures": Self.listed(report.failures, as: "key"), "failed": report.failed,
      ], .kept)
    if report.hasNewUnreadable, let line = Summary.line(forUnreadable: report.unreadable) {
      Console.error("mirror: \(line)")
    }
    if let advice = Summary.advice(for: report) { Console.error("mirror: \(advice)") }
  }

  private static func listed(
    _ failures: [MirrorReport.Failure], as name: String
  ) -> [[String: String]] {
    failures.prefix(FailureLines.mostListed).map {
      [name: $0.key, "error": $0.told].compactMapValues { $0 }
    }
  }

  func show(leftOut count: Int) {
    write("leftOut", ["count": count], .kept)
  }

  private func write(
    _ event: String, _ members: [String: Any], _ weight: Outlet.Weight = .counted
  ) {
    Self.write(members.merging(["event": event]) { _, event in event }, weight)
  }

  /// Writes any object as a line.
  static func write(_ object: [String: Any], _ weight: Outlet.Weight = .kept) {
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    else { return }
    Console.out(String(decoding: data, as: UTF8.self), weight)
  }
}
