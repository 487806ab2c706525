import SyncLock
import DocumentTesting
import DocumentSync

/// What is wrong with its lists.
extension FlawedEndpoint {
  func list(_ collection: String, _ place: ChangesPlace) async throws -> EndpointReply<
    ChangesAnswer
  > {
    guard flaw == .pagesThroughASnapshot else {
      return try await inner.changes(in: collection, from: place)
    }
    if case .since = place { return try await inner.changes(in: collection, from: place) }
    if place == .beginning { try await takeSnapshot(of: collection) }
    let changes = memory.withLock { memory in
      defer { memory.snapshot.removeFirst(min(5, memory.snapshot.count)) }
      return Array(memory.snapshot.prefix(5))
    }
    let isLast = memory.withLock { $0.snapshot.isEmpty }
    return EndpointReply<ChangesAnswer>(
      .page(
        ChangePage(
          extent: .everything, documents: changes, checkpoint: isLast ? newest : nil,
          next: isLast ? nil : "snapshot")))
  }

  private func takeSnapshot(of collection: String) async throws {
    var all: [DocumentChange] = []
    var place = ChangesPlace.beginning
    while case .page(let page) = try await inner.changes(in: collection, from: place).end {
      all += page.documents
      guard let next = page.next else { break }
      place = .page(next)
    }
    let snapshot = all
    memory.withLock { $0.snapshot = snapshot }
  }

  /// The checkpoint of all that there is now.
  private var newest: String {
    let state = server.state
    let times = (state.collections["contract"] ?? [:]).values.map(\.place.time)
    return "\(state.life)/\(times.max() ?? 0)"
  }

  func bend(_ page: ChangePage, at place: ChangesPlace) throws -> ChangePage {
    var page = page
    page.documents = page.documents.compactMap(bend)
    switch flaw {
    case .answersNoCheckpoint: page.checkpoint = nil
    case .losesADocument: page.documents = Array(page.documents.dropFirst())
    case .stopsAfterAPage: page.next = nil
    case .neverEnds: page.next = page.next ?? "1/all/0/0/0/0"
    case .mixesExtents: if case .page = place { page.extent = .changes }
    case .runsAheadWithItsCheckpoint: page.checkpoint = newest
    case .endsAtUnreadable:
      if let bad = page.unreadable.first { throw EndpointError(.unreadable(bad.reason)) }
    case .passesOverUnreadable: page.unreadable = []
    case .leavesOutEqualTimes:
      if case .since(let known) = place, let time = known.split(separator: "/").last {
        page.documents.removeAll { ($0.state.copy?.time ?? 0) <= Int64(time) ?? 0 }
      }
    default: break
    }
    return page
  }

  private func bend(_ change: DocumentChange) -> DocumentChange? {
    switch (flaw, change.state) {
    case (.hidesDeletions, .deleted): return nil
    case (.hidesRevivals, .revived(let copy)):
      return DocumentChange(id: change.id, state: .present(copy))
    case (.foldsIDs, let state):
      return DocumentChange(id: DocumentID(change.id.text.lowercased()), state: state)
    case (.makesUpVersions, .present(let copy)):
      let count = memory.withLock { memory in
        memory.count += 1
        return memory.count
      }
      let made = ServerCopy(value: copy.value, version: DocumentVersion("made up \(count)"))
      return DocumentChange(id: change.id, state: .present(made))
    case (.roundsIntegers, .present(let copy)):
      let text = copy.value.text.replacing("9007199254740993", with: "9007199254740992")
      guard let value = try? DocumentValue(parsing: text) else { return nil }
      return DocumentChange(
        id: change.id, state: .present(ServerCopy(value: value, version: copy.version)))
    default: return change
    }
  }
}
