import CatalogMirror
import Console

/// `mirror verify FOLDER`
struct VerifyCommand {
  private let mirror: FolderMirror
  private let style: Invocation.Style
  private let reporter: any Reporter
  private let folder: String
  private let repairs: Bool
  private let hasFilters: Bool

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    style = invocation.style
    reporter = invocation.reporter
    folder = invocation.mirror.folder
    repairs = invocation.repairs
    hasFilters = !invocation.mirror.scope.isEverything
  }

  func run() async throws -> ExitStatus {
    let repair = try await mirror.watched(by: reporter) { mirror in
      guard repairs else {
        let repair = MirrorRepair(found: try await mirror.verify())
        await Streams.telling { show(repair) }
        return repair
      }
      // What was wrong is told before what is fetched for it.
      return try await mirror.repair { repair in await Streams.telling { show(repair) } }
    }
    return await Streams.telling { tell(repair) }
  }

  private func tell(_ repair: MirrorRepair) -> ExitStatus {
    Streams.endLive()
    let found = repair.found
    guard found.isMirror else {
      Streams.complain("'\(folder)' is no mirror yet; 'mirror sync' makes it one")
      return .failed
    }
    guard let report = repair.report else { return found.problems.isEmpty ? .done : .someFailed }
    reporter.show(report)
    return report.status
  }

  private func show(_ repair: MirrorRepair) {
    let found = repairs ? repair.found.withoutAdviceToRepair : repair.found
    guard found.isMirror else { return }
    let summary = summary(of: found)
    Streams.endLive()
    switch style {
    case .people, .quiet:
      for line in FailureLines.lines(of: found) { Streams.error(line) }
    case .json: break
    }
    switch style {
    case .people:
      Streams.out(summary)
      if let remark = remark(on: found, recorded: repair.recorded) { Streams.out(remark) }
    case .json: write(found, recorded: repair.recorded)
    case .quiet: break
    }
    for problem in found.problems { Streams.log("failed \(problem.key ?? ""): \(problem.told)") }
    Streams.log(summary)
  }

  private func summary(of found: MirrorVerification) -> String {
    if found.files == 0, found.problems.isEmpty {
      return "verified nothing: \(hasFilters ? "no file fits the filters" : "no file is held")"
    }
    let files = "\(Amounts.count(found.files, "file")), \(Amounts.bytes(found.bytes)) read"
    let (problems, undigested) = (found.problems.count, found.undigested)
    if undigested == 0, problems == 0 { return "verified: \(files), all as they were recorded" }
    let parts = [
      (problems, problems == 1 ? "not as it should be" : "not as they should be"),
      (found.files - problems - undigested, "as recorded"),
      (undigested, "compared by size and date alone"),
    ].filter { $0.0 > 0 }
    return "verified: \(files), " + parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// What it means that nothing is said of the bytes of some; `nil` where that is of none.
  private func remark(on found: MirrorVerification, recorded: Int) -> String? {
    guard found.undigested > 0 else { return nil }
    guard recorded == 0 else {
      return """
        the digests of \(Amounts.count(recorded, "file")) that had none are recorded now, as the \
        files are; from now on 'mirror verify' notices a changed byte in them
        """
    }
    return """
      of \(Amounts.count(found.undigested, "file")) no digest is recorded, as they were adopted by \
      size and date, so that a changed byte in them isn't noticed; 'mirror verify FOLDER --repair' \
      records them as they are
      """
  }

  /// Every problem as a line of its own: whoever reads lines needn't hold them all.
  private func write(_ found: MirrorVerification, recorded: Int) {
    for problem in found.problems {
      JSONLine.write("problem") { line in
        line.add("key", problem.key ?? "")
        line.add("error", problem.told)
      }
    }
    JSONLine.write("verified") { line in
      line.add("files", found.files)
      line.add("bytes", found.bytes)
      line.add("notAsTheyShouldBe", found.problems.count)
      line.add("undigested", found.undigested)
      line.add("recorded", recorded)
      line.addFailures("problems", found.problems.map { ($0.key, $0.told) })
    }
  }
}

extension MirrorVerification {
  /// For whoever has just asked for that.
  fileprivate var withoutAdviceToRepair: MirrorVerification {
    var plain = self
    for place in problems.indices where problems[place].advice == .repairFiles {
      plain.problems[place].advice = nil
    }
    return plain
  }
}
