/// Why a store doesn't do what it was asked for. What is wrong with its file, `DatabaseError` says.
public enum DocumentStoreProblem: Error, Sendable, Equatable {
  /// The file is a database of something else. It was left as it is.
  case notAStore(String)
  /// The file is a store that a state of this package made before its first release. It was left as
  /// it is.
  case ofEarlierState(String)
  /// A document has an empty id.
  case noID
  /// What is to be stored under this id is no object.
  case notAnObject(DocumentID)
  /// The document is known in another collection.
  case atHomeElsewhere(DocumentID, DocumentScope)
  /// A document of another account has this id, of which nothing else is told.
  case ofAnotherAccount(DocumentID)
  /// The service made this document of another one, which is here and was set aside.
  case isMadeOf(DocumentID, key: DocumentID)
  /// Documents that would wait for each other, from one all the way round.
  case circle([DocumentID])
  /// The document is to be sent, and can't be dropped before.
  case isToBeSent(DocumentID)
  /// So many changes are to be sent, and what they are of can't be dropped before.
  case changesWait(Int)
  /// Nothing is to be decided about the document.
  case notInConflict(DocumentID)
  /// Nothing that was lost has this number, or it's too long ago.
  case notLost(Int64)
  /// There is no such document, of which a member is to be taken back.
  case noDocument(DocumentID)
  /// A request with the change is under way, which can't be given up before that has ended.
  case isUnderWay(DocumentID)
  /// There is a document of the id that a new one is to have.
  case isThere(DocumentID)
  /// Another sync of the store is under way.
  case isSyncedElsewhere
  /// The file by which one sync keeps others away can't be used, for this reason.
  case unusableLock(path: String, String)
}

extension DocumentStoreProblem {
  /// A document that is at home somewhere has the id that another was to have there.
  static func taken(
    _ id: DocumentID, by home: DocumentScope, for scope: DocumentScope
  ) -> DocumentStoreProblem {
    DocumentOwner(server: scope.server, account: scope.account).has(home)
      ? .atHomeElsewhere(id, home) : .ofAnotherAccount(id)
  }
}

extension DocumentStoreProblem: CustomStringConvertible {
  /// What is wrong, for a place behind a colon.
  public var description: String {
    switch self {
    case .notAStore(let path): "\(path) is a database, and no store of documents"
    case .ofEarlierState(let path):
      "\(path) was made by a state of this package before its first release; export its documents"
        + " with that state, and import them into a new store"
    case .noID: "a document needs an id"
    case .notAnObject(let id): "what is to be stored as \(id) is no object"
    case .atHomeElsewhere(let id, let scope):
      "\(id) is a document of the collection \(scope.collection) of \(scope.server) already;"
        + " an id is unique in a store, so that one of the two needs another"
    case .ofAnotherAccount(let id):
      "\(id) is the id of a document of another account, and an id is unique in a store;"
        + " take another id, or another store for this account"
    case .isMadeOf(let id, let key):
      "the service made \(key) of \(id), which is here still; delete \(id) here, and \(key) comes"
        + " with the next sync"
    case .circle(let ids):
      "these would wait for each other: \(ids.map(\.text).joined(separator: ", "))"
    case .isToBeSent(let id): "a change of \(id) waits to be sent"
    case .changesWait(1): "a change waits to be sent"
    case .changesWait(let count): "\(count) changes wait to be sent"
    case .notInConflict(let id): "there is no conflict about \(id)"
    case .notLost(let number): "nothing that was lost in the last 30 days has the number \(number)"
    case .noDocument(let id): "there is no document \(id) to take a member back into"
    case .isUnderWay(let id): "a request with the change of \(id) is under way"
    case .isThere(let id): "there is a document \(id) already"
    case .isSyncedElsewhere:
      "another sync of this store is under way; try again when it has ended"
    case .unusableLock(let path, let why):
      "\(path), by which one sync keeps others away: \(why)"
    }
  }
}
