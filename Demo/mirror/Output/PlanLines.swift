import CatalogMirror
import Console

/// What a sync would do, for people.
enum PlanLines {
  static func lines(of plan: MirrorPlan) -> [String] {
    notes(on: plan) + items(of: plan) + [sum(of: plan)]
  }

  private static func notes(on plan: MirrorPlan) -> [String] {
    var lines = FailureLines.first(of: plan.partial).map { "nothing would be removed: \($0)" }
    if !plan.hasNewUnreadable, let line = Summary.line(forUnreadable: plan.unreadable) {
      lines.append(line)
    }
    if let line = ScopeLines.line(isNew: plan.hasNewScope, outside: plan.outside) {
      lines.append(line)
    }
    return lines + plan.remarks.map(\.description) + ScopeLines.lines(of: plan)
  }

  private static func items(of plan: MirrorPlan) -> [String] {
    var lines = plan.fetches.map { "fetch     \(subject($0))" }
    lines += plan.asks.map { "ask       \(subject($0))" }
    lines += plan.adoptions.map { "adopt     \($0) (it is there already)" }
    lines += plan.displacements.map { "displace  \($0.key) (\($0.reason.words))" }
    lines += plan.unusable.prefix(FailureLines.mostNamed).map {
      "fail      \($0.key ?? ""): \($0.told)"
    }
    if plan.unusableCount > FailureLines.mostNamed {
      lines.append("fail      \(plan.unusableCount - FailureLines.mostNamed) more")
    }
    return lines + plan.removals.map { "remove    \($0)" }
  }

  private static func subject(_ fetch: MirrorPlan.Fetch) -> String {
    let parts = [
      fetch.isPreview ? "its preview" : nil, "\(fetch.reason)", fetch.bytes.map(Amounts.bytes),
    ].compactMap { $0 }
    return "\(fetch.key) (\(parts.joined(separator: ", ")))"
  }

  /// How much comes, as far as that is known.
  private static func size(
    of fetches: [MirrorPlan.Fetch], _ bytes: Int64, atMost: String = ""
  ) -> String {
    let unsized = fetches.count { $0.bytes == nil }
    if unsized == fetches.count { return "of unknown size" }
    let known = atMost + Amounts.bytes(bytes)
    return unsized == 0 ? known : "\(known) and \(unsized) of unknown size"
  }

  private static func sum(of plan: MirrorPlan) -> String {
    if plan.refusedRemoval != nil { return "would be refused, and nothing would be done" }
    var parts: [String] = []
    if !plan.fetches.isEmpty {
      let size = size(of: plan.fetches, plan.bytes)
      parts.append("fetch \(Amounts.count(plan.fetches.count, "item")) (\(size))")
    }
    if !plan.asks.isEmpty {
      let size = size(of: plan.asks, plan.askedBytes, atMost: "at most ")
      parts.append("ask about \(plan.asks.count) (\(size), if they have changed)")
    }
    for (count, verb) in [
      (plan.adoptions.count, "adopt"), (plan.displacements.count, "displace"),
      (plan.removals.count, "remove"),
    ] where count > 0 {
      parts.append("\(verb) \(count)")
    }
    if plan.unusableCount > 0 { parts.append("fail with \(plan.unusableCount)") }
    let kept =
      plan.kept > 0
      ? "; \(Amounts.count(plan.kept, "item")) would stay that the source lacks" : ""
    guard !parts.isEmpty else { return Summary.unchanged + kept }
    return "would \(parts.joined(separator: ", "))\(kept)"
  }
}

extension MirrorPlan.Displacement.Reason {
  /// The reason in a few words.
  fileprivate var words: String {
    switch self {
    case .edited: "it was edited here; it would go to .mirror/displaced"
    case .inTheWay: "it isn't the mirror's, and in an item's way; it would go to .mirror/displaced"
    case .unlessEqual: "it would go to .mirror/displaced unless the item has the same bytes"
    }
  }
}
