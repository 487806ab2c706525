import CatalogMirror
import Console

extension MirrorEvent {
  /// What was done to a file, as `added a/b.txt`; `nil` for what does nothing to one.
  var deed: String? {
    switch self {
    case .fetched(let key, let transfer, _, let reason): transfer.deed(to: key, reason)
    case .copied(let key, let source, let transfer, _, let reason):
      transfer.deed(to: key, reason).map { "\($0) (copied from \(source))" }
    case .adopted(let key): "adopted \(key)"
    case .removed(let key): "removed \(key)"
    case .waiting, .stage, .page, .listed, .planned, .confirmed, .displaced, .failed,
      .rebuildingIndex, .packGivenUp, .retrying:
      nil
    }
  }

  /// What a person has to know of it while the run goes on.
  var notices: [String] {
    switch self {
    case .waiting(let holder): [Summary.line(forWaitingFor: holder)]
    case .listed(_, let partial, _):
      FailureLines.first(of: partial).map { "not removing anything: \($0)" }
    case .displaced(let key, let place):
      ["\(key) wasn't ours, or had been edited; it is now .mirror/displaced/\(place)"]
    case .rebuildingIndex(let aside):
      [
        """
        the index was damaged, or another folder's, and is now .mirror/\(aside); it is made anew \
        from the files that the catalog confirms
        """
      ]
    case .packGivenUp(let url, let reason):
      ["the files of a pack come one by one, as it can't be used (\(url)): \(reason)"]
    case .stage, .page, .planned, .fetched, .copied, .adopted, .confirmed, .failed, .removed,
      .retrying:
      []
    }
  }

  var retry: String? {
    guard case .retrying(let url, let retry, let wait, let reason, let advice) = self else {
      return nil
    }
    let told = Advice.adding(advice, to: reason)
    return "trying \(url) again (\(retry)) in \(Amounts.time(wait)): \(told)"
  }

  /// That an item failed; where it matters at once.
  var failure: String? {
    guard case .failed(let key, let sentence, let advice) = self else { return nil }
    return "failed \(key): \(Sentence.ending(Advice.adding(advice, to: sentence)))"
  }
}

extension MirrorEvent.Transfer {
  /// What was done to a file by its coming; `nil` where it came with the bytes that were there.
  fileprivate func deed(to key: String, _ reason: String) -> String? {
    switch (self, reason) {
    case (.preview, _): "preview \(key)"
    case (.content, "new"): "added \(key)"
    case (.content, "damaged"), (.content, "deleted"): "repaired \(key)"
    case (.content, "equal"): nil
    case (.content, _): "updated \(key)"
    }
  }
}

/// Which lines of a run's events are shown to a person: not more of a kind than anybody reads.
struct EventLines: Sendable {
  /// Whether each file is named that something is done to.
  let isVerbose: Bool
  /// Whether somebody looks on, who wants to know what is waited for.
  let isWatched: Bool
  private var notices = 0
  private var retries = 0

  init(isVerbose: Bool, isWatched: Bool) {
    self.isVerbose = isVerbose
    self.isWatched = isWatched
  }

  mutating func lines(for event: MirrorEvent) -> [String] {
    if let deed = event.deed { return isVerbose ? [deed] : [] }
    // Some lists can never say that they are whole: who was told once knows it.
    if case .listed(_, _, isNews: false) = event, !isVerbose { return [] }
    if let retry = event.retry {
      retries += 1
      return isVerbose || isWatched && retries <= FailureLines.mostNamed ? [retry] : []
    }
    let lines = event.notices
    guard !lines.isEmpty else { return [] }
    notices += 1
    if isVerbose || notices <= FailureLines.mostNamed { return lines }
    return notices == FailureLines.mostNamed + 1 ? ["and more of these; '-v' names all"] : []
  }
}
