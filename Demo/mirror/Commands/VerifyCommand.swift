import CatalogMirror

/// `mirror verify FOLDER`
struct VerifyCommand {
  private let mirror: FolderMirror
  private let style: Invocation.Style
  private let folder: String
  private let repairs: Bool

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    style = invocation.style
    folder = invocation.mirror.folder
    repairs = invocation.repairs
  }

  func run() async throws -> Program.ExitStatus {
    let repair =
      repairs ? try await mirror.repair() : MirrorRepair(found: try await mirror.verify())
    return await Console.telling { tell(repair) }
  }

  private func tell(_ repair: MirrorRepair) -> Program.ExitStatus {
    let found = repair.found
    guard found.isMirror else {
      Console.error("mirror: '\(folder)' is no mirror yet; 'mirror sync' makes it one.")
      return .failed
    }
    show(found)
    guard let report = repair.report else { return found.problems.isEmpty ? .done : .someFailed }
    switch style {
    case .people: PeopleReporter(isTerminal: false).show(report)
    case .json: JSONReporter().show(report)
    case .quiet: QuietReporter().show(report)
    }
    return report.outcome.status
  }

  private func show(_ found: MirrorVerification) {
    switch style {
    case .people, .quiet:
      for line in FailureLines.lines(of: found) { Console.error(line) }
    case .json: break
    }
    switch style {
    case .people: Console.out(summary(of: found))
    case .json: write(found)
    case .quiet: break
    }
  }

  private func summary(of found: MirrorVerification) -> String {
    let files = "\(Amounts.count(found.files, "file")), \(Amounts.bytes(found.bytes)) read"
    return found.problems.isEmpty
      ? "verified: \(files), every one as it should be"
      : "verified: \(files), \(found.problems.count) not as they should be"
  }

  /// Every problem as a line of its own: whoever reads lines needn't hold them all.
  private func write(_ found: MirrorVerification) {
    let problems = found.problems.lazy.map { ["key": $0.key, "error": $0.told] }
    for problem in problems {
      JSONReporter.write(problem.merging(["event": "problem"]) { $1 })
    }
    JSONReporter.write([
      "event": "verified", "files": found.files, "bytes": found.bytes,
      "notAsTheyShouldBe": found.problems.count,
      "problems": Array(problems.prefix(FailureLines.mostListed)),
    ])
  }
}
