import DocumentTesting

@testable import DocumentSync

/// Carrying out what an entry says.
extension PushingReplica {
  func take(
    _ id: DocumentID, shown: DocumentState? = nil,
    _ event: (inout OutboxEntry, Revision) -> EntryStep
  ) {
    guard var entry = held[id]?.entry else { return }
    let fresh = fresh()
    let content = held[id]?.contents[entry.revision]
    held[id]?.contents[fresh] = content
    let step = event(&entry, fresh)
    held[id]?.entry = entry
    switch step {
    case .stays, .asks, .later: break
    case .takesBase(let revision, let version): rebase(id, on: revision, version)
    case .losesBase:
      held[id]?.base = nil
      held[id]?.tombstone = entry.tombstone
    case .leaves(let departure): leave(id, departure)
    case .meets: give(way: shown, to: id)
    }
  }

  private func give(way shown: DocumentState?, to id: DocumentID) {
    held[id]?.base = shown?.copy
    if let copy = shown?.copy {
      take(id) { $0.met(.rebased(copy.version), as: $1) }
    } else if case .deleted(let version)? = shown {
      take(id) { $0.met(.madeAnew(after: .at(version)), as: $1) }
    }
  }

  private func rebase(_ id: DocumentID, on revision: Revision, _ version: DocumentVersion) {
    guard let value = held[id]?.contents[revision] else {
      return check(false, "each base has a content")
    }
    held[id]?.base = ServerCopy(value: value, version: version)
  }

  private func leave(_ id: DocumentID, _ departure: Departure) {
    held[id]?.entry = nil
    switch departure {
    case .accepted(let revision, let version):
      check(held[id]?.contents[revision] == held[id]?.local, "what leaves is what is here")
      rebase(id, on: revision, version)
    case .deleted(let version):
      check(held[id]?.local == nil, "what is gone at the server is gone here")
      held[id]?.base = nil
      held[id]?.tombstone = .at(version)
    case .neverSent: check(held[id]?.local == nil, "only what was deleted never gets sent")
    case .reverted, .gaveWay: check(false, "the local change always wins here")
    }
  }
}
