import CatalogMirror
import Console

/// `mirror plan CATALOG FOLDER`, and `mirror sync --dry-run`.
struct PlanCommand {
  private let mirror: FolderMirror
  private let style: Invocation.Style

  init(_ invocation: Invocation, sharing client: MirrorClient = MirrorClient()) {
    mirror = FolderMirror(invocation.mirror, sharing: client)
    style = invocation.style
  }

  func run() async throws -> ExitStatus {
    let plan = try await mirror.plan()
    return await Streams.telling { tell(plan) }
  }

  private func tell(_ plan: MirrorPlan) -> ExitStatus {
    switch style {
    case .people: Streams.outLines { PlanLines.tell(plan, $0) }
    case .json: write(plan)
    case .quiet: break
    }
    if plan.hasNewUnreadable {
      for line in Summary.lines(forUnreadable: plan.unreadable) { Streams.error("mirror: \(line)") }
    }
    if let refusal = plan.refusal {
      Streams.error(refusal.line)
    } else if plan.refusedRemoval != nil,
      let advice = Summary.advice(for: plan.outcome, leaving: plan.leaving)
    {
      Streams.complain(advice)
    }
    return plan.outcome.status
  }

  private func write(_ plan: MirrorPlan) {
    let before = Dictionary(
      plan.failedBefore.map { ($0.key ?? "", $0.told) }, uniquingKeysWith: { first, _ in first })
    for fetch in plan.fetches { write("fetch", fetch, failedBefore: before[fetch.key]) }
    for file in plan.empties { write("make", file, failedBefore: before[file.key]) }
    for copy in plan.copies { write(copy, failedBefore: before[copy.item.key]) }
    for fetch in plan.asks { write("ask", fetch, failedBefore: before[fetch.key]) }
    for key in plan.adoptions { JSONLine.write("adopt") { $0.add("key", key) } }
    for file in plan.displacements {
      JSONLine.write("displace") { line in
        line.add("key", file.key)
        line.add("reason", file.reason.rawValue)
      }
    }
    for failure in plan.unusable {
      JSONLine.write("fail") { line in
        if let key = failure.key { line.add("key", key) }
        line.add("error", failure.told)
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
      line.add("status", Int(plan.outcome.status.rawValue))
      line.add("fetches", plan.fetches.count)
      line.add("empties", plan.empties.count)
      line.add("copies", plan.copies.count)
      line.add("bytes", plan.bytes)
      line.add("packed", plan.packed)
      line.add("packRequests", plan.packRequests)
      line.add("packParts", plan.packParts)
      line.add("asks", plan.asks.count)
      line.add("askedBytes", plan.askedBytes)
      line.add("rounded", (plan.fetches + plan.asks).count(where: \.isRounded))
      line.add("failedBefore", plan.failedBefore.count)
      line.add("adoptions", plan.adoptions.count)
      line.add("displacements", plan.displacements.count)
      line.add("unusable", plan.unusableCount)
      line.addFailures("flaws", plan.flaws.map { ($0.key, $0.told) })
      line.add("removals", plan.removals.count)
      line.add("refused", plan.refusedRemoval?.count ?? 0)
      line.add("refusedOf", plan.refusedRemoval?.of ?? 0)
      line.add("unchanged", plan.wasUnchanged)
      line.add("partial", plan.partial.map(\.told))
      line.add("kept", plan.kept)
      line.add("unreadable", plan.unreadable.compactMap(\.key))
      line.array("excluded") { ScopeLines.write(plan, to: &$0) }
      line.add("outside", plan.outside)
      line.add("newFilters", plan.hasNewScope)
      line.add("remarks", plan.remarks.map(\.description))
    }
  }

  private func write(_ copy: MirrorPlan.Copy, failedBefore: String?) {
    JSONLine.write("copy") { line in
      line.add("key", copy.item.key)
      line.add("reason", copy.item.reason.rawValue)
      line.add("preview", copy.item.isPreview)
      line.add("bytes", copy.bytes)
      copy.content?.write("copiedFrom", to: &line)
      copy.preview?.write("previewCopiedFrom", to: &line)
      if let failedBefore { line.add("failedBefore", failedBefore) }
    }
  }

  private func write(_ event: String, _ fetch: MirrorPlan.Fetch, failedBefore: String?) {
    JSONLine.write(event) { line in
      line.add("key", fetch.key)
      line.add("reason", fetch.reason.rawValue)
      line.add("preview", fetch.isPreview)
      if let bytes = fetch.bytes {
        line.add("bytes", bytes)
        line.add("rounded", fetch.isRounded)
      }
      if let failedBefore { line.add("failedBefore", failedBefore) }
    }
  }
}
