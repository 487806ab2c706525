/// What is on the remote side, and what of it is here.
extension PassPerformer {
  mutating func fetchSourceList() async throws -> SyncPass.Event {
    var list: CheckedList<Item>
    do {
      list = try await fetchCheckedList()
    } catch {
      await tellWhatIsHeld()
      throw error
    }
    report.counts.listed = list.items.count
    listKind = list.kind
    if list.kind == .unchanged {
      try await findWhatIsSought(in: list)
    } else if let onlyKey {
      if list.removed.contains(onlyKey) { listKind = .complete }  // not named, and so not there
      let place = list.keys.place(of: onlyKey)
      if list.items.count > (place == nil ? 0 : 1) { missing.othersAreListed() }
      list = try work.check(.partial(place.map { [list.items[$0]] } ?? []))
    }
    self.list = list
    return .listed(list.kind)
  }

  private func fetchCheckedList() async throws -> CheckedList<Item> {
    let processor = tools.processor
    return try work.check(try await call { try await processor.fetchSourceList() })
  }

  /// There is no list: who is content with an item that is held is told that it is.
  private func tellWhatIsHeld() async {
    let keys = tools.desk.listFailed()
    guard !keys.isEmpty else { return }
    let local = try? await call { [work] in try await work.store.localKeys(keys) }
    if let local { tools.desk.found(held: local.keys) }
  }

  /// Nothing changed, and the local side isn't asked: unless somebody waits for an item.
  private mutating func findWhatIsSought(in list: CheckedList<Item>) async throws {
    let keys = tools.desk.soughtKeys
    guard !keys.isEmpty else { return }
    let local = try await call { [work] in try await work.store.localKeys(keys) }
    tools.desk.passIsPlanned(
      PassLookup(
        kind: list.kind, listed: [], wanted: [], downloads: [], asked: keys, held: local.keys,
        missing: missing.keys ?? [], work: work))
  }

  mutating func compareKeys() async throws -> SyncPass.Event {
    guard let list else { preconditionFailure("the list is fetched before keys are compared") }
    let local = try await localKeys(for: list)
    let comparison = work.compare(list, local.keys)
    if list.kind == .changes { gone = list.removed }
    self.list = nil  // the comparison holds what else is needed of it
    self.comparison = comparison
    return .compared(
      removals: comparison.removals.count, local: local.count,
      areAllowed: !allowed.isEmpty && comparison.removals.isSubset(of: Set(allowed.joined())))
  }

  /// Only a complete list says something of items that it doesn't name.
  private mutating func localKeys(
    for list: CheckedList<Processor.Item>
  ) async throws -> LocalKeys<ID> {
    guard list.kind == .complete else {
      let asked = tools.desk.soughtKeys
      let (items, others) = (list.items, list.removed.union(asked))
      let local = try await call { [work] in
        try await work.store.localKeysOfItems(items, others)
      }
      sought = (asked, asked.intersection(local.keys).subtracting(list.removed))
      return local
    }
    let processor = tools.processor
    let all = try await call { try await processor.localKeys() }
    return LocalKeys(keys: all, count: all.count)
  }
}
