import SyncLock
import SynchronizerTesting

/// A source of texts with previews, that counts its revisions: asked with the one that somebody
/// knows, it says that nothing changed, or what has changed since.
final class FeedSource: Sendable {
  enum Answer {
    case all([Text], revision: Int)
    /// One page of several.
    case part([Text], revision: Int)
    case changes([Text], gone: Set<String>, revision: Int)
    case unchanged
  }

  private struct State {
    var revision = 0
    /// Which revision is which: what was there before has the number that it had.
    var revisions: [[String: String]: Int] = [:]
    /// In which revision each text changed last.
    var changed: [String: Int] = [:]
    var gone: [String: Int] = [:]
    var contents: [String: String] = [:]
    var form = ListForm<String>.whole
  }

  let texts = TextSource()
  private let state = Locked(State())

  func set(_ contents: [String: String]) {
    texts.set(contents)
    state.withLock { state in
      let known = state.form == .changes ? nil : state.revisions[contents]
      state.revision = known ?? state.revisions.count + 1
      state.revisions[contents] = state.revision
      for (key, content) in contents where state.contents[key] != content {
        state.changed[key] = state.revision
      }
      for key in state.contents.keys where contents[key] == nil { state.gone[key] = state.revision }
      state.contents = contents
    }
  }

  func set(_ form: ListForm<String>) { state.withLock { $0.form = form } }

  func list(since known: Int?) async throws -> Answer {
    let all = try await texts.list()
    let state = state.withLock { $0 }
    switch (state.form, known) {
    case (.part(let keys), _):
      return .part(all.filter { keys.contains($0.id) }, revision: state.revision)
    case (_, state.revision): return .unchanged
    case (.changes, let known?):
      return .changes(
        all.filter { state.changed[$0.id, default: 0] > known },
        gone: Set(state.gone.filter { $0.value > known && state.contents[$0.key] == nil }.keys),
        revision: state.revision)
    case (.changes, nil), (.whole, _): return .all(all, revision: state.revision)
    }
  }

  /// Gives a preview to `take`, half by half.
  func preview(of key: String, take: (String) async throws -> Void) async throws {
    try await take("prev")
    try await texts.reach(.preview(key))
    try await take("iew of \(key)")
  }
}

/// What a ``FeedProcessor`` keeps. Outlives its processors.
final class FeedStore: Sendable {
  struct State {
    var held: [String: TextStore.VersionedText] = [:]
    var previews: [String: String] = [:]
    /// The revision of the source that all of it was in step with.
    var revision: Int?
  }

  let state = Locked(State())
}

/// Texts and previews, from a source that tells what changed.
struct FeedFixture: ProcessorFixture {
  let source = FeedSource()
  let store = FeedStore()
  var fault: FeedFault?

  func makeProcessor() -> FeedProcessor {
    FeedProcessor(source: source, store: store, fault: fault)
  }

  func setSource(_ contents: [String: String]) { source.set(contents) }

  func localState() -> [String: String] {
    store.state.withLock { $0.held.mapValues(\.text) }
  }

  func setInterception(_ interception: SourceInterception<String>?) -> Bool {
    source.texts.intercept(interception)
    return true
  }

  func setListForm(_ form: ListForm<String>) -> Bool {
    source.set(form)
    return true
  }
}
