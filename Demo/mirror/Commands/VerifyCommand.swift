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
        let found = try await mirror.verify()
        await Streams.telling { show(found) }
        return MirrorRepair(found: found)
      }
      // What was wrong is told before what is done about it.
      return try await mirror.repair { found in
        await Streams.telling { show(found.withoutAdviceToRepair) }
      }
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

  private func show(_ found: MirrorVerification) {
    guard found.isMirror else { return }
    Streams.endLive()
    switch style {
    case .people, .quiet:
      for line in FailureLines.lines(of: found) { Streams.error(line) }
    case .json: break
    }
    switch style {
    case .people: Streams.out(summary(of: found))
    case .json: write(found)
    case .quiet: break
    }
    for problem in found.problems { Streams.log("failed \(problem.key ?? ""): \(problem.told)") }
    Streams.log(summary(of: found))
  }

  private func summary(of found: MirrorVerification) -> String {
    if found.files == 0, found.problems.isEmpty {
      return "verified nothing: \(hasFilters ? "no file fits the filters" : "no file is held")"
    }
    let files = "\(Amounts.count(found.files, "file")), \(Amounts.bytes(found.bytes)) read"
    let them = found.problems.count == 1 ? "it" : "they"
    return found.problems.isEmpty
      ? "verified: \(files), every one as it should be"
      : "verified: \(files), \(found.problems.count) not as \(them) should be"
  }

  /// Every problem as a line of its own: whoever reads lines needn't hold them all.
  private func write(_ found: MirrorVerification) {
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
