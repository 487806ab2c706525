@testable import DocumentSync

/// A store in a dictionary: what a real one is to say after each event, whenever it was opened.
struct NaiveStore {
  private(set) var documents: [DocumentID: StoredDocument] = [:]
  private(set) var lost: [DocumentLoss] = []
  /// What people put there last, unless they took it away.
  private(set) var wanted: [DocumentID: DocumentValue] = [:]
  let scope: DocumentScope
  let rules: MeetingRules

  init(_ scope: DocumentScope, _ rules: MeetingRules) {
    self.scope = scope
    self.rules = rules
  }

  /// The documents that can be sent, in their order.
  var ready: [DocumentID] {
    entries.filter { $0.phase == .waiting && $0.awaits.isEmpty && $0.batchShare != .last }.map(\.id)
  }

  var entries: [OutboxEntry] {
    documents.values.compactMap(\.entry).sorted { $0.number < $1.number }
  }

  mutating func saved(
    _ id: DocumentID, _ content: DocumentValue, after others: Set<DocumentID>,
    _ counter: RevisionCounter
  ) {
    let awaits = Readiness(awaiting: others) { document($0).asPredecessor }.waitsFor.keys
    wanted[id] = content
    change(id, counter) { $0.saved(content, after: Set(awaits), &$1) }
  }

  mutating func stashed(_ id: DocumentID, _ content: DocumentValue, _ counter: RevisionCounter) {
    wanted[id] = content
    change(id, counter) { $0.stashed(content, &$1) }
  }

  mutating func deleted(_ id: DocumentID, _ counter: RevisionCounter) {
    guard documents[id]?.body != nil else { return }
    wanted[id] = nil
    change(id, counter) { $0.deleted(&$1) }
  }

  mutating func dropped(_ id: DocumentID) {
    guard documents[id]?.isNothing == false, documents[id]?.entry == nil else { return }
    wanted[id] = nil
    change(id, RevisionCounter(next: 0)) { document, _ in document.dropped() }
  }

  /// Something that was lost was taken back, or couldn't be.
  mutating func tookBack(_ change: LostChange, _ counter: RevisionCounter) {
    let (path, body) = (change.loss.path, document(change.id).body)
    guard path == .whole || body != nil else { return }
    let content =
      path == .whole ? change.loss.value : try? body?.setting(path, to: change.loss.value)
    wanted[change.id] = content
    self.change(change.id, counter) { _ = $0.restored(content, at: body?.taken(at: path), &$1) }
  }

  @discardableResult
  mutating func change<Result>(
    _ id: DocumentID, _ counter: RevisionCounter,
    _ event: (inout StoredDocument, inout RevisionCounter) -> Result
  ) -> Result {
    var (document, counter) = (document(id), counter)
    let result = event(&document, &counter)
    lost += document.lost
    if document.isSettled {
      for other in documents.keys { documents[other]?.entry?.awaits.remove(id) }
    }
    documents[id] = Self.asRead(document)
    return result
  }

  func document(_ id: DocumentID) -> StoredDocument {
    documents[id] ?? StoredDocument(id: id, scope: scope)
  }

  /// A document as it's read again: without what was told only once, or counts no more.
  private static func asRead(_ document: StoredDocument) -> StoredDocument {
    if document.isNothing {
      return StoredDocument(id: document.id, scope: document.scope, tombstone: document.tombstone)
    }
    var read = StoredDocument(
      id: document.id, scope: document.scope, tombstone: document.entry?.tombstone ?? .none)
    (read.body, read.base, read.entry, read.shown) =
      (document.body, document.base, document.entry, document.shown)
    let remembered = document.entry?.rememberedRevisions ?? []
    read.contents = document.contents.filter {
      remembered.contains($0.key) && $0.key != document.entry?.revision
    }
    return read
  }
}
