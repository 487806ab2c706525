import CatalogMirror
import Console

enum PlanLines {
  /// Hands one line after the other to `tell`, for there may be millions.
  static func tell(_ plan: MirrorPlan, _ tell: (String) -> Void) {
    notes(on: plan).forEach(tell)
    tellItems(of: plan, tell)
    tell(sum(of: plan))
  }

  private static func notes(on plan: MirrorPlan) -> [String] {
    var lines = FailureLines.first(of: plan.partial).map { "nothing would be removed: \($0)" }
    if !plan.hasNewUnreadable { lines += Summary.lines(forUnreadable: plan.unreadable) }
    if let line = ScopeLines.line(isNew: plan.hasNewScope, outside: plan.outside) {
      lines.append(line)
    }
    return lines + plan.remarks.map(\.description) + ScopeLines.lines(of: plan)
  }

  private static func tellItems(of plan: MirrorPlan, _ tell: (String) -> Void) {
    let before = reasonsOfBefore(plan)
    for fetch in plan.fetches { tell("fetch     " + subject(fetch) + (before[fetch.key] ?? "")) }
    for file in plan.empties { tell("make      " + subject(file) + (before[file.key] ?? "")) }
    for copy in plan.copies { tell("copy      " + subject(copy) + (before[copy.item.key] ?? "")) }
    for ask in plan.asks { tell("ask       " + subject(ask) + (before[ask.key] ?? "")) }
    for key in plan.adoptions { tell("adopt     \(key) (it is there already)") }
    for file in plan.displacements { tell("displace  \(file.key) (\(file.reason.words))") }
    for failure in plan.unusable.prefix(FailureLines.mostNamed) {
      tell("fail      \(failure.key ?? ""): \(failure.told)")
    }
    if plan.unusableCount > FailureLines.mostNamed {
      tell("fail      \(plan.unusableCount - FailureLines.mostNamed) more")
    }
    for flaw in plan.flaws.prefix(FailureLines.mostNamed) {
      tell("fail      \(flaw.key ?? ""), as in the last run: \(flaw.told)")
    }
    for key in plan.removals { tell("remove    \(key)") }
  }

  /// Of what failed at the last sync, that and why, by its key.
  private static func reasonsOfBefore(_ plan: MirrorPlan) -> [String: String] {
    let words = ", which failed at the last sync, and is asked for again: "
    return Dictionary(
      plan.failedBefore.map { failure in
        let isHeldBack = failure.kind == .heldBack
        let told = isHeldBack ? ", which was held back at the last sync" : words + failure.told
        return (failure.key ?? "", told)
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func again(in plan: MirrorPlan) -> String {
    guard !plan.failedBefore.isEmpty else { return "" }
    let heldBack = plan.failedBefore.count { $0.kind == .heldBack }
    let failed = plan.failedBefore.count - heldBack
    let wereHeld = heldBack == 1 ? "was held back" : "were held back"
    let words = [(failed, "failed"), (heldBack, wereHeld)].filter { $0.0 > 0 }
      .map { "\($0) of that \($1)" }
    return "; \(words.joined(separator: " and ")) at the last sync"
  }

  private static func subject(_ fetch: MirrorPlan.Fetch) -> String {
    var text = fetch.key + " ("
    if fetch.isPreview { text += "its preview, " }
    text += fetch.reason.description
    if let bytes = fetch.bytes {
      text += ", " + (fetch.isRounded ? Amounts.about : "") + Amounts.bytes(bytes)
    }
    return text + ")"
  }

  private static func subject(_ copy: MirrorPlan.Copy) -> String {
    var words = [copy.item.reason.description]
    if let source = copy.content { words.append("copied from \(source)") }
    if let source = copy.preview { words.append("its preview copied from \(source)") }
    if copy.bytes > 0 {
      let what = copy.content == nil ? "the item itself" : "its preview"
      words.append("\(what) fetched, \(Amounts.bytes(copy.bytes))")
    }
    return "\(copy.item.key) (\(words.joined(separator: ", ")))"
  }

  private static func size(
    of fetches: [MirrorPlan.Fetch], _ bytes: Int64, atMost: String = ""
  ) -> String {
    let unsized = fetches.count { $0.bytes == nil }
    if unsized == fetches.count { return "of unknown size" }
    let about = fetches.contains(where: \.isRounded) ? Amounts.about : ""
    let known = atMost + about + Amounts.bytes(bytes)
    return unsized == 0 ? known : "\(known) and \(unsized) of unknown size"
  }

  private static func sum(of plan: MirrorPlan) -> String {
    if plan.refusedRemoval != nil { return "would be refused, and nothing would be done" }
    var parts: [String] = []
    if !plan.fetches.isEmpty {
      let size = size(of: plan.fetches, plan.bytes)
      let packed = Summary.words(forPacked: plan.packed, plan.packRequests).map { ", " + $0 } ?? ""
      let ifParts = plan.packParts > 0 ? " if the server gives parts of them" : ""
      parts.append(
        "fetch \(Amounts.count(plan.fetches.count, "item")) (\(size)\(packed)\(ifParts))")
    }
    if !plan.empties.isEmpty {
      parts.append("make \(Amounts.count(plan.empties.count, "empty file"))")
    }
    if !plan.copies.isEmpty {
      let items = Amounts.count(plan.copies.count, "item")
      parts.append("copy \(items) (\(Amounts.bytes(plan.copiedBytes))) from what is here")
    }
    if !plan.asks.isEmpty {
      let size = size(of: plan.asks, plan.askedBytes, atMost: "at most ")
      let items = Amounts.count(plan.asks.count, "item")
      parts.append("ask about \(items) and fetch what has changed (\(size))")
    }
    // Only its bytes tell whether a file has to make room for an item.
    let isAtMost = plan.displacements.contains { $0.reason == .unlessEqual }
    for (count, verb) in [
      (plan.adoptions.count, "adopt"),
      (plan.displacements.count, isAtMost ? "displace at most" : "displace"),
      (plan.removals.count, "remove"),
    ] where count > 0 {
      parts.append("\(verb) \(count)")
    }
    if plan.unusableCount > 0 { parts.append("fail with \(plan.unusableCount)") }
    let kept =
      plan.kept > 0
      ? "; \(Amounts.count(plan.kept, "item")) would stay that the source lacks" : ""
    let but = plan.flaws.isEmpty ? "" : ", but for " + Summary.words(forFlaws: plan.flaws)
    let again = again(in: plan)
    guard !parts.isEmpty else {
      guard but.isEmpty else { return "unchanged" + but + kept }
      let all =
        plan.remarks.contains(where: \.isOfAllLeftOut)
        ? Summary.nothingToDo : Summary.unchanged(trustingIndex: plan.trustedIndex)
      return all + kept
    }
    return "would \(parts.joined(separator: ", "))\(but)\(again)\(kept)"
  }
}

extension MirrorPlan.Displacement.Reason {
  fileprivate var words: String {
    switch self {
    case .edited: "it was edited here; it would go to .mirror/displaced"
    case .inTheWay: "it isn't the mirror's, and in an item's way; it would go to .mirror/displaced"
    case .unlessEqual: "it would go to .mirror/displaced unless the item has the same bytes"
    }
  }
}
