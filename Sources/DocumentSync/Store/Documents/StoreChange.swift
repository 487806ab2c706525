/// What one commit changed in a store.
public struct StoreChange: Sendable, Equatable {
  /// Who changed it.
  public enum Origin: Sendable {
    /// A person, or a program for them.
    case user
    /// A sync.
    case sync
    /// Somebody else who has the same file open, such as another process.
    case others
  }

  /// Who changed it.
  public let origin: Origin
  /// The documents that are otherwise now, in the order in which they were changed.
  public let documents: [ChangedDocument]
  /// Whether these are all. Else any other document may be another, too: others don't say what they
  /// changed, nor does who hides or drops a collection, or changes very many at once.
  public let isComplete: Bool

  /// Whether a document may be otherwise now.
  func concerns(_ id: DocumentID) -> Bool {
    !isComplete || documents.contains { $0.id == id }
  }
}

/// What became of a document in one commit.
public struct ChangedDocument: Sendable, Equatable {
  /// What people see of it.
  public enum Kind: Sendable {
    /// It's there, and wasn't before.
    case appeared
    /// It says something else.
    case changed
    /// It's there no more.
    case disappeared
    /// It says what it said, and stands otherwise: it was sent, say, or is in conflict.
    case status
  }

  /// Which document.
  public let id: DocumentID
  /// The collection that it's at home in.
  public var collection: String { scope.collection }
  /// Where it's at home.
  package let scope: DocumentScope
  /// What became of it.
  public let kind: Kind
}

/// What a transaction has changed so far.
struct ChangeLog {
  /// So many steps are kept; who changes more than that is told of as a whole.
  static let limit = 20_000

  /// What people saw of a document at one time.
  private struct Glance {
    var content: DocumentValue?
    var status: DocumentStatus?

    init(_ document: StoredDocument) {
      content = document.isHidden ? nil : document.body
      status = document.isNothing ? nil : DocumentStatus(document, nil)
    }
  }

  private struct Step {
    let id: DocumentID
    let scope: DocumentScope
    let before: Glance
    let after: Glance
  }

  /// Which document: others have others under the same id.
  private struct Key: Hashable {
    let id: DocumentID
    let owner: DocumentOwner
  }

  private var steps: [Step] = []
  private(set) var isComplete = true

  /// Where it is, to go back there.
  struct Mark {
    fileprivate let count: Int
    fileprivate let isComplete: Bool
  }

  var mark: Mark { Mark(count: steps.count, isComplete: isComplete) }

  mutating func goBack(to mark: Mark) {
    steps.removeLast(steps.count - mark.count)
    isComplete = mark.isComplete
  }

  mutating func note(_ before: StoredDocument, _ after: StoredDocument) {
    let step = Step(
      id: after.id, scope: after.scope, before: Glance(before), after: Glance(after))
    guard Self.kind(from: step.before, to: step.after) != nil else { return }
    guard steps.count < Self.limit else { return noteWhole() }
    steps.append(step)
  }

  /// Something was changed that isn't told by document.
  mutating func noteWhole() { isComplete = false }

  /// What is otherwise now than before all of it; `nil` if nothing is.
  func change(by origin: StoreChange.Origin) -> StoreChange? {
    var order: [Key] = []
    var net: [Key: Step] = [:]
    for step in steps {
      let key = Key(id: step.id, owner: step.scope.owner)
      if let first = net[key] {
        net[key] = Step(id: step.id, scope: step.scope, before: first.before, after: step.after)
      } else {
        order.append(key)
        net[key] = step
      }
    }
    let documents = order.compactMap { key in
      net[key].flatMap { step in
        Self.kind(from: step.before, to: step.after).map {
          ChangedDocument(id: key.id, scope: step.scope, kind: $0)
        }
      }
    }
    guard !isComplete || !documents.isEmpty else { return nil }
    return StoreChange(origin: origin, documents: documents, isComplete: isComplete)
  }

  private static func kind(from before: Glance, to after: Glance) -> ChangedDocument.Kind? {
    switch (before.content, after.content) {
    case (nil, _?): .appeared
    case (_?, nil): .disappeared
    case (let old?, let new?) where !old.hasSameContent(as: new): .changed
    case (nil, nil), (_?, _?): isSame(before.status, after.status) ? nil : .status
    }
  }

  /// A server's new name for what it has is nothing that people see.
  private static func isSame(_ one: DocumentStatus?, _ other: DocumentStatus?) -> Bool {
    one?.state == other?.state && one?.problem == other?.problem
      && one?.isPending == other?.isPending && one?.words == other?.words
  }
}
