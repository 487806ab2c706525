import CatalogMirror
import Console

/// `mirror plan CATALOG FOLDER`
struct PlanCommand {
  private let mirror: FolderMirror
  private let style: Invocation.Style

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    style = invocation.style
  }

  func run() async throws -> ExitStatus {
    let plan = try await mirror.plan()
    return await Streams.telling { tell(plan) }
  }

  private func tell(_ plan: MirrorPlan) -> ExitStatus {
    switch style {
    case .people: show(plan)
    case .json: write(plan)
    case .quiet: break
    }
    guard let (count, local) = plan.refusedRemoval else { return .done }
    let outcome = MirrorReport.Outcome.removalRefused(count: count, of: local)
    if let advice = Summary.advice(for: outcome) { Streams.error("mirror: \(advice)") }
    return .refused
  }

  private func show(_ plan: MirrorPlan) {
    for reason in FailureLines.first(of: plan.partial) {
      Streams.out("nothing would be removed: \(reason)")
    }
    if let line = Summary.line(forUnreadable: plan.unreadable) { Streams.out(line) }
    if let line = ScopeLines.line(isNew: plan.hasNewScope, outside: plan.outside) {
      Streams.out(line)
    }
    for line in ScopeLines.lines(of: plan) { Streams.out(line) }
    for fetch in plan.fetches {
      let size = fetch.bytes.map { ", \(Amounts.bytes($0))" } ?? ""
      Streams.out("fetch   \(fetch.key) (\(fetch.reason)\(size))")
    }
    for key in plan.removals { Streams.out("remove  \(key)") }
    if plan.kept > 0 {
      Streams.out("\(Amounts.count(plan.kept, "item")) would stay that the source lacks")
    }
    if plan.wasUnchanged, plan.fetches.isEmpty {
      Streams.out("unchanged: the source has nothing new, and every file is as it should be")
    } else if plan.refusedRemoval == nil {
      Streams.out(
        """
        would fetch \(Amounts.count(plan.fetches.count, "item")) (\(Amounts.bytes(plan.bytes))) and \
        remove \(plan.removals.count)
        """)
    }
  }

  private func write(_ plan: MirrorPlan) {
    for fetch in plan.fetches {
      JSONLine.write("fetch") { line in
        line.add("key", fetch.key)
        line.add("reason", fetch.reason)
        if let bytes = fetch.bytes { line.add("bytes", bytes) }
      }
    }
    for key in plan.removals { JSONLine.write("remove") { $0.add("key", key) } }
    for left in plan.leftOut {
      JSONLine.write("exclude") { line in
        line.add("key", left.key)
        line.add("reason", "\(left.reason)")
      }
    }
    JSONLine.write("plan") { line in
      line.add("fetches", plan.fetches.count)
      line.add("removals", plan.removals.count)
      line.add("refused", plan.refusedRemoval?.count ?? 0)
      line.add("unchanged", plan.wasUnchanged)
      line.add("partial", plan.partial.map(\.told))
      line.add("kept", plan.kept)
      line.add("unreadable", plan.unreadable.compactMap(\.key))
      line.array("excluded") { ScopeLines.write(plan, to: &$0) }
      line.add("outside", plan.outside)
      line.add("newFilters", plan.hasNewScope)
    }
  }
}
