import OneWaySynchronizer
import SyncLock

/// Texts in memory, with the version that each was downloaded in. Outlives its processors.
final class TextStore: Sendable {
  struct VersionedText {
    var version: Int
    var text: String
  }

  struct State {
    var held: [String: VersionedText] = [:]
    /// What a processor that marks beginnings has begun and not ended.
    var begun: Set<String> = []
  }

  let state = Locked(State())

  var texts: [String: String] { state.withLock { $0.held.mapValues(\.text) } }
}

/// A way in which a ``MemoryProcessor`` works; the first three are right, each other is broken in
/// its own way.
enum Manner: CaseIterable {
  case oneByOne
  case inBatches
  case listsChanges
  case forgetsToRemove
  case listsBegunItems
  case alwaysUpdates
  case neverUpdates
  case writesInPlace
  case swallowsErrors
  case losesEverythingOnError
  case remembersItsKeys
  case takesABrokenListForAnEmptyOne
  case dropsTheOldFirst
  case commitsTooLate
  case foldsCase
  case removesTooMuch
  case forgetsToCommit
  case listsTooLittle
  case listsTooMuch
  case leavesTemporaryItems
  case clearsFirst
  case overlooksAKey
  case countsTooFew
}

/// A processor of texts in memory.
final class MemoryProcessor: StoreSyncProcessor {
  private let source: TextSource
  private let store: TextStore
  private let manner: Manner
  private let staged = Locked<[String: TextStore.VersionedText]>([:])
  private let remembered = Locked<Set<String>?>(nil)

  init(source: TextSource, store: TextStore, manner: Manner) {
    self.source = source
    self.store = store
    self.manner = manner
  }

  func syncWillBegin() async throws {
    if manner == .clearsFirst { store.state.withLock { $0.held = [:] } }
  }

  func fetchSourceList() async throws -> SourceList<Text> {
    do {
      let all = try await source.list().map(named)
      return switch manner {
      case .listsChanges, .overlooksAKey, .countsTooFew:
        .changes(updated: all, removed: try await localKeys().subtracting(all.map(\.id)))
      case .listsTooLittle: .complete(all.dropLast())
      case .listsTooMuch: .complete(all + [Text(id: "index", version: 0)])
      default: .complete(all)
      }
    } catch  where manner == .takesABrokenListForAnEmptyOne {
      return .complete([])
    }
  }

  func localKeys() async throws -> Set<String> {
    let keys = store.state.withLock { $0.held.keys.union($0.begun) }
    guard manner == .remembersItsKeys else { return keys }
    return remembered.withLock { remembered in
      remembered = remembered ?? keys
      return remembered ?? []
    }
  }

  func localKeys(among named: Set<String>) async throws -> LocalKeys<String> {
    let all = try await localKeys()
    var some = LocalKeys(keys: all.intersection(named), count: all.count)
    if manner == .overlooksAKey { some.keys = Set(some.keys.sorted().dropFirst()) }
    if manner == .countsTooFew { some.count = some.keys.isEmpty ? 0 : 1 }
    return some
  }

  func removeLocalItems(_ keys: Set<String>) async throws {
    if manner == .forgetsToRemove { return }
    store.state.withLock { state in
      for key in keys { state.held[key] = nil }
      if manner == .removesTooMuch, let other = state.held.keys.min() { state.held[other] = nil }
    }
  }

  func shouldUpdate(_ item: Text) async throws -> Bool {
    switch manner {
    case .alwaysUpdates: true
    case .neverUpdates: false
    default: store.state.withLock { $0.held[item.id]?.version } != item.version
    }
  }

  func downloadContent(of item: Text) async throws {
    prepare(for: item)
    var text = ""
    do {
      try await source.content(of: item.id) { part in
        text += part
        if manner == .writesInPlace { put(item, text) }
        if manner == .leavesTemporaryItems { put(Text(id: "~\(item.id)", version: 0), text) }
      }
    } catch {
      if manner == .losesEverythingOnError { store.state.withLock { $0.held = [:] } }
      guard manner == .swallowsErrors else { throw error }
    }
    switch manner {
    case .inBatches, .commitsTooLate, .forgetsToCommit:
      staged.withLock { $0[item.id] = .init(version: item.version, text: text) }
    default: put(item, text)
    }
  }

  func commitDownloads() async throws -> [String: any Error] {
    if manner == .inBatches { putStaged() }
    return [:]
  }

  func syncDidEnd(_ report: PassReport<String>) async {
    if manner == .commitsTooLate { putStaged() }
  }

  private func prepare(for item: Text) {
    if manner == .listsBegunItems { store.state.withLock { _ = $0.begun.insert(item.id) } }
    if manner == .dropsTheOldFirst { store.state.withLock { $0.held[item.id] = nil } }
  }

  private func named(_ item: Text) -> Text {
    manner == .foldsCase ? Text(id: item.id.lowercased(), version: item.version) : item
  }

  private func put(_ item: Text, _ text: String) {
    store.state.withLock { state in
      state.held[item.id] = .init(version: item.version, text: text)
      state.begun.remove(item.id)
    }
  }

  private func putStaged() {
    let new = staged.withLock { staged in
      defer { staged = [:] }
      return staged
    }
    store.state.withLock { $0.held.merge(new) { $1 } }
  }
}

extension Dictionary<String, TextStore.VersionedText>.Keys {
  fileprivate func union(_ others: Set<String>) -> Set<String> { others.union(self) }
}
