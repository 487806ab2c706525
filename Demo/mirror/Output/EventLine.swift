import CatalogMirror
import Console

/// What happens during a run, as lines of JSON say it.
extension MirrorEvent {
  var name: String {
    switch self {
    case .waiting: "waiting"
    case .stage: "stage"
    case .page: "page"
    case .listed: "listed"
    case .planned: "planned"
    case .fetched: "fetched"
    case .copied: "copied"
    case .adopted: "adopted"
    case .confirmed: "confirmed"
    case .displaced: "displaced"
    case .failed: "failed"
    case .removed: "removed"
    case .rebuildingIndex: "rebuilding"
    case .packGivenUp: "packGivenUp"
    case .retrying: "retrying"
    }
  }

  func write(to line: inout JSONMembers) {
    switch self {
    case .waiting(let holder):
      if let holder {
        line.add("process", Int(holder.process))
        line.addDate("since", holder.secondsSince1970 ?? 0)
      }
    case .stage(let stage): line.add("stage", stage.rawValue)
    case .page(let url, let isUnchanged):
      line.add("url", url)
      line.add("unchanged", isUnchanged)
    case .listed(let entries, let partial, let isNews):
      line.add("entries", entries)
      line.add("partial", partial.map(\.told))
      line.add("partialIsNew", isNews)
    case .planned(let items, let bytes):
      line.add("items", items)
      line.add("bytes", bytes)
    case .fetched(let key, let transfer, let bytes, let reason):
      line.add("key", key)
      line.add("transfer", transfer.rawValue)
      line.add("bytes", bytes)
      line.add("reason", reason)
    case .copied(let key, let source, let transfer, let bytes, let reason):
      line.add("key", key)
      line.add("transfer", transfer.rawValue)
      line.add("bytes", bytes)
      line.add("reason", reason)
      source.write(to: &line)
    case .adopted(let key), .confirmed(let key), .removed(let key): line.add("key", key)
    case .displaced(let key, let place):
      line.add("key", key)
      line.add("to", place)
    case .failed(let key, let sentence, let advice):
      line.add("key", key)
      line.add("error", Advice.adding(advice, to: sentence))
    case .rebuildingIndex(let aside): line.add("aside", aside)
    case .packGivenUp(let url, let reason):
      line.add("url", url)
      line.add("error", reason)
    case .retrying(let url, let retry, let wait, let reason, let advice):
      line.add("url", url)
      line.add("retry", retry)
      line.addSeconds("wait", wait)
      line.add("error", Advice.adding(advice, to: reason))
    }
  }
}

extension CopySource {
  /// - Parameter name: The member with its key; its place stands behind it.
  func write(_ name: String = "from", to line: inout JSONMembers) {
    line.add(name, key)
    line.add(name + "Place", place.rawValue)
  }
}
