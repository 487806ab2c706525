import CatalogMirror
import Console

/// What a run did, in a line, and what to do next.
enum Summary {
  /// Wherever nothing had to be done.
  static func unchanged(trustingIndex: Bool) -> String {
    trustingIndex
      ? "unchanged: the source has nothing new; the files were not looked at"
      : """
      unchanged: the source has nothing new, and no file was changed here, as far as sizes and \
      dates tell
      """
  }

  /// Where a remark says that the filters leave out everything.
  static let nothingToDo = "nothing to do"

  /// `nil` when nothing was done, and so there is nothing to sum up.
  static func text(for report: MirrorReport) -> String? {
    let took = Amounts.time(report.duration)
    let but = but(forUnreadable: report.unreadable.count, flaws: report.flaws)
    let isWell = report.outcome == .done || report.outcome == .someFailed && report.failed == 0
    let parts = parts(of: report)
    if parts.isEmpty {
      guard isWell else { return nil }
      return "\(but.isEmpty ? nothingDone(report) : "unchanged" + but) (\(took))"
    }
    let bytes = report.bytes > 0 ? [Amounts.bytes(report.bytes)] : []
    let copied = words(forCopied: report.copied, report.copiedBytes).map { [$0] } ?? []
    let packed = words(forPacked: report.packed, report.packRequests).map { [$0] } ?? []
    let word = isWell ? "done" + but : report.word
    return "\(word): \((parts + bytes + packed + copied).joined(separator: ", ")) (\(took))"
  }

  /// What was made of files that were here, and not fetched; `nil` for nothing.
  static func words(forCopied count: Int, _ bytes: Int64) -> String? {
    count > 0 ? "\(Amounts.bytes(bytes)) copied for \(count) of them" : nil
  }

  /// How many files came together; `nil` for none.
  static func words(forPacked files: Int, _ requests: Int) -> String? {
    guard files > 0 else { return nil }
    return "\(Amounts.count(requests, "request")) for \(Amounts.count(files, "file")) in packs"
  }

  /// What a run that went well couldn't have all the same, to be put behind what it did.
  static func but(forUnreadable count: Int, flaws: [MirrorReport.Failure]) -> String {
    let directories = Amounts.count(count, "directory that isn't", "directories that aren't")
    let parts =
      (count > 0 ? ["\(directories) read"] : []) + (flaws.isEmpty ? [] : [words(forFlaws: flaws)])
    return parts.isEmpty ? "" : ", but for \(parts.joined(separator: " and "))"
  }

  /// What the source lists and can't be had of it, by which of the two it is.
  static func words(forFlaws flaws: [MirrorReport.Failure]) -> String {
    let unusable = flaws.count { $0.kind == .unusable }
    let kinds = [
      (flaws.count - unusable, "that the source doesn't give"),
      (unusable, "that can't be used as listed"),
    ].filter { $0.0 > 0 }
    return kinds.map { "\(Amounts.count($0, "item")) \($1)" }.joined(separator: " and ")
  }

  private static func nothingDone(_ report: MirrorReport) -> String {
    if report.remarks.contains(where: \.isOfAllLeftOut) { return nothingToDo }
    let isOfNothing =
      report.listed + report.confirmed == 0 && !report.wasUnchanged && report.leftOut == 0
    return isOfNothing ? "the source lists nothing" : unchanged(trustingIndex: report.trustedIndex)
  }

  /// What was done to which number of files; what the server only confirmed isn't done anything to.
  private static func parts(of report: MirrorReport) -> [String] {
    var parts: [String] = []
    for (count, word) in [
      (report.added, "added"), (report.updated, "updated"), (report.repaired, "repaired"),
      (report.adopted, "adopted"), (report.equal, "fetched again with the same bytes"),
      (report.removed, "removed"),
      (report.displaced, "displaced"), (report.kept, "kept though the source lacks them"),
    ] where count > 0 {
      parts.append("\(count) \(word)")
    }
    if report.previews > 0 { parts.append(Amounts.count(report.previews, "preview")) }
    if report.failed > report.heldBack {
      parts.append("\(report.failed - report.heldBack) failed")
    }
    if report.heldBack > 0 { parts.append("\(report.heldBack) held back") }
    return parts
  }

  static func line(forWaitingFor holder: LockHolder?, _ what: String = "folder") -> String {
    "waiting for the \(what), which is in use by \(holder?.told ?? "another process")"
  }

  /// That somebody's files were put aside, which he has to know of; `nil` where none were.
  static func line(forDisplaced count: Int) -> String? {
    guard count > 0 else { return nil }
    let what =
      count == 1
      ? "1 file that wasn't the mirror's, or had been edited, was"
      : "\(count) files that weren't the mirror's, or had been edited, were"
    return "\(what) put aside in .mirror/displaced; 'mirror restore FOLDER' lists what lies there."
  }

  /// Directories that aren't read: how many, and a line for each of the first.
  static func lines(forUnreadable directories: [MirrorReport.Failure]) -> [String] {
    guard !directories.isEmpty else { return [] }
    let count = Amounts.count(directories.count, "directory isn't", "directories aren't")
    let head = "\(count) read, so that what is held below stays:"
    let named = directories.prefix(FailureLines.mostNamed)
      .map { Sentence.ending("\($0.key ?? ""): \($0.told)") }
    if directories.count == 1 { return ["\(head) \(named[0])"] }
    let more = directories.count - named.count
    return [head] + named + (more > 0 ? ["\(more) more; 'mirror status FOLDER' names them."] : [])
  }

  /// What to do next, where the failures don't say it themselves.
  static func advice(for report: MirrorReport) -> String? {
    // What is only news of directories can't be mended by another run.
    if report.outcome == .someFailed, report.failures.isEmpty { return nil }
    if let limit = report.timeLimit {
      return """
        the time limit of \(Amounts.time(limit)) was reached (status 2); what was finished is \
        kept, and the next run goes on.
        """
    }
    guard !report.failures.contains(where: { $0.key == nil }) else { return nil }
    // Their own sentence says what to do, and another run can't do better.
    if report.misplaced > 0, report.misplaced == report.failed { return nil }
    let hopeless = report.refusedItems + report.unusable
    guard report.outcome == .someFailed, hopeless > 0 else {
      return advice(for: report.outcome, leaving: report.leaving)
    }
    let mending = "\(words(forHopelessOf: report)), and no run can do better until that is mended"
    if report.failed > hopeless + report.heldBack {
      return "some items failed; run it again, and they are tried first. But \(mending)."
    }
    let held = Amounts.count(report.heldBack, "that comes last is", "that come last are")
    let last = report.heldBack > 0 ? ", and \(held) held back for that" : ""
    return "\(mending)\(last); what is held of \(hopeless == 1 ? "it" : "them") stays."
  }

  /// What no other run can have either, before it is mended at the source.
  private static func words(forHopelessOf report: MirrorReport) -> String {
    var words: [String] = []
    if report.refusedItems > 0 {
      words.append("the source refuses \(Amounts.count(report.refusedItems, "item"))")
    }
    if report.unusable > 0 {
      words.append(
        "\(Amounts.count(report.unusable, "entry", "entries")) can't be used as listed")
    }
    return words.joined(separator: " and ")
  }

  /// - Parameter leaving: how many of those that were to be removed are left out by filters.
  static func advice(for outcome: MirrorReport.Outcome, leaving: Int) -> String? {
    switch outcome {
    case .done, .failed: nil
    case .someFailed: "some items failed; run it again, and they are tried first."
    case .removalRefused(let count, let local):
      refusal(of: "\(count) of \(local) items would have been removed", count, leaving)
    case .cancelled: "cancelled; what was finished is kept. Run it again to go on."
    }
  }

  /// What is to be looked at is what makes the items go: the source, or the person's own filters.
  private static func refusal(of removal: String, _ count: Int, _ leaving: Int) -> String {
    let why =
      leaving == 0
      ? "" : ", \(leaving == count ? "all" : "\(leaving)") of them as the filters leave them out"
    let check =
      switch leaving {
      case 0: "the source; if it is right"
      case count: "the filters; if they are right"
      default: "the source and the filters; if both are right"
      }
    let keep = leaving == count ? "leave out --remove-excluded" : "--no-delete"
    return """
      \(removal)\(why), which is too many at once; nothing was removed. Check \(check), \
      say --max-delete \(count), or \(keep) to keep them.
      """
  }
}

extension LockHolder {
  var told: String {
    "process \(process) since \(Moments.text(secondsSince1970 ?? 0))"
  }
}

extension ListingRemark {
  var isOfAllLeftOut: Bool { if case .allLeftOut = self { true } else { false } }
}
