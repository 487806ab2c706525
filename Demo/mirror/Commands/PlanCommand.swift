import CatalogMirror

/// `mirror plan CATALOG FOLDER`
struct PlanCommand {
  private let mirror: FolderMirror
  private let style: Invocation.Style

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    style = invocation.style
  }

  func run() async throws -> Program.ExitStatus {
    let plan = try await mirror.plan()
    return await Console.telling { tell(plan) }
  }

  private func tell(_ plan: MirrorPlan) -> Program.ExitStatus {
    switch style {
    case .people: show(plan)
    case .json: write(plan)
    case .quiet: break
    }
    guard let (count, local) = plan.refusedRemoval else { return .done }
    let outcome = MirrorReport.Outcome.removalRefused(count: count, of: local)
    if let advice = Summary.advice(for: outcome) { Console.error("mirror: \(advice)") }
    return .removalRefused
  }

  private func show(_ plan: MirrorPlan) {
    for reason in FailureLines.first(of: plan.partial) {
      Console.out("nothing would be removed: \(reason)")
    }
    if let line = Summary.line(forUnreadable: plan.unreadable) { Console.out(line) }
    for fetch in plan.fetches {
      let size = fetch.bytes.map { ", \(Amounts.bytes($0))" } ?? ""
      Console.out("fetch   \(fetch.key) (\(fetch.reason)\(size))")
    }
    for key in plan.removals { Console.out("remove  \(key)") }
    if plan.kept > 0 {
      Console.out("\(Amounts.count(plan.kept, "item")) would stay that the source lacks")
    }
    if plan.wasUnchanged, plan.fetches.isEmpty {
      Console.out("unchanged: the source has nothing new, and every file is as it should be")
    } else if plan.refusedRemoval == nil {
      Console.out(
        """
        would fetch \(Amounts.count(plan.fetches.count, "item")) (\(Amounts.bytes(plan.bytes))) and \
        remove \(plan.removals.count)
        """)
    }
  }

  private func write(_ plan: MirrorPlan) {
    for fetch in plan.fetches {
      var object: [String: Any] = ["event": "fetch", "key": fetch.key, "reason": fetch.reason.rawValue]
      if let bytes = fetch.bytes { object["bytes"] = bytes }
      JSONReporter.write(object)
    }
    for key in plan.removals { JSONReporter.write(["event": "remove", "key": key]) }
    JSONReporter.write([
      "event": "plan", "fetches": plan.fetches.count, "removals": plan.removals.count,
      "refused": plan.refusedRemoval?.count ?? 0, "unchanged": plan.wasUnchanged,
      "partial": plan.partial.map(\.told), "kept": plan.kept,
      "unreadable": plan.unreadable.compactMap(\.key),
    ])
  }
}
