/// Why documents can't be kept, edited or synced as it was asked. What is wrong with a store's
/// file, `DatabaseError` says; with a value or a condition, ``DocumentProblem``; with a server,
/// ``DocumentSyncFailure``.
public enum DocumentError: Error, Sendable, Hashable {
  // About the store.
  /// The file is a database of something else. It was left as it is.
  case notAStore(String)
  /// The file is a store that a state of this package made before its first release. It was left as
  /// it is.
  case ofEarlierState(String)
  /// Another sync of the store is under way.
  case isSyncedElsewhere
  /// The store was told another server, account or collection since it was opened, or something
  /// else that what is in it goes by. Nothing was changed.
  case toldAnew
  /// A type of documents can't go, or be kept elsewhere: so many documents of it are in the store,
  /// those of other accounts included; or none, but something that is to be sent, or gave way.
  /// Nothing was changed.
  case typeInUse(String, documents: Int)
  /// A file beside the store, or one of the user's own, can't be used, for this reason.
  case unusableFile(path: String, String)

  // About a document.
  /// A document has an empty id.
  case noID
  /// There is no such document, or it isn't an object with members.
  case noDocument(DocumentID)
  /// There is a document of the id that a new one is to have.
  case isThere(DocumentID)
  /// What is to be stored under this id is no object.
  case notAnObject(DocumentID)
  /// The document is known in another collection.
  case atHomeElsewhere(DocumentID, collection: String)
  /// The service made this document of another one, which is here and was set aside.
  case isMadeOf(DocumentID, key: DocumentID)
  /// The server couldn't take the document, for this reason.
  case cannotTravel(DocumentID, String)
  /// A line of an import, counted from 1, is at fault, for this reason; nothing was imported.
  case badLine(Int, String)

  // About its change.
  /// Documents that would wait for each other, from one all the way round.
  case circle([DocumentID])
  /// The document is to be sent, and can't be dropped before.
  case isToBeSent(DocumentID)
  /// So many changes are to be sent, and what they are of can't be dropped before.
  case changesWait(Int)
  /// A request with the change is under way, which can't be given up before that has ended.
  case isUnderWay(DocumentID)
  /// The server didn't take the document, for this reason; it's stored, and waits.
  case notSent(DocumentID, String)
  /// The change of the document, or some of it, gave way to what the server has: that is here now,
  /// and what gave way is among what was lost.
  case gaveWay(DocumentID)
  /// Nothing is to be decided about the document.
  case notInConflict(DocumentID)
  /// Nothing that was lost has this number, or it's too long ago.
  case notLost(Int64)

  // About what is kept in step with what.
  /// The collection isn't one of those that are kept in step.
  case unknownCollection(String)
  /// Edits of the collection don't carry when they were made, so that nobody knows which is the
  /// latest.
  case unstamped(String)
  /// The server's endpoint knows no queries.
  case noQueries
  /// The server's endpoint tells no news by itself.
  case noNews
  /// The server keeps no files.
  case noFiles
  /// The server makes the ids of the collection itself, so that what it lost can't be made again
  /// under the same.
  case makesKeys(String)

  // About an account.
  /// Nobody is signed in.
  case signedOut
  /// The service takes no such name, for this reason; nothing was sent.
  case badName(String)
  /// The service takes no such password, for this reason; nothing was sent.
  case badPassword(String)
  /// The service doesn't offer that.
  case notOffered(String)
  /// The service was asked for credentials and gave none.
  case noCredentials
  /// So many changes of another account wait to be sent: nobody said what is to become of them.
  case unsentEdits(Int)
  /// Who is signed in could be read only now, during a sync that doesn't know it.
  case knownTooLate
  /// Somebody signed in or out meanwhile: that counts.
  case overtaken
}

extension DocumentError: CustomStringConvertible {
  /// What is wrong, and what to do, for a place behind a colon.
  public var description: String {
    switch self {
    case .notAStore(let path): "\(path) is a database, and no store of documents"
    case .ofEarlierState(let path):
      "\(path) was made by a state of this package before its first release; export its documents"
        + " with that state, and import them into a new store"
    case .isSyncedElsewhere:
      "another sync of this store is under way; try again when it has ended"
    case .toldAnew:
      "the store was given another server, account, collection or form of rows meanwhile; nothing"
        + " was changed. Open it again"
    case .typeInUse(let name, documents: 0):
      "a deletion or a file of the type '\(name)' waits to be sent, or a change that gave way is"
        + " kept still; nothing was changed. Sync first, and see what gave way: a type of which"
        + " nothing is there can go"
    case .typeInUse(let name, let count):
      "the store holds \(count == 1 ? "a document" : "\(count) documents") of the type '\(name)',"
        + " those of other accounts included; nothing was changed. Only a type of which nothing is"
        + " there can go"
    case .unusableFile(let path, let why):
      "the file \(path) can't be used: \(why)"
    case .noID, .noDocument, .isThere, .notAnObject, .atHomeElsewhere, .isMadeOf,
      .cannotTravel, .badLine:
      ofDocument
    case .circle(let ids):
      "these would wait for each other: \(ids.map(\.text).joined(separator: ", "))"
    case .isToBeSent(let id): "a change of \(id) waits to be sent; sync first, or give it up"
    case .changesWait(1): "a change waits to be sent; sync first, or say that it may go"
    case .changesWait(let count):
      "\(count) changes wait to be sent; sync first, or say that they may go"
    case .isUnderWay(let id):
      "a request with the change of \(id) is under way; try again when the sync has ended"
    case .notSent(let id, let why): "\(id) is stored, and wasn't taken by the server: \(why)"
    case .gaveWay(let id):
      "the change of \(id) gave way to what the server has; it's among what was lost, and can be"
        + " restored from there"
    case .notInConflict(let id): "there is no conflict about \(id)"
    case .notLost(let number): "nothing that was lost in the last 30 days has the number \(number)"
    case .unknownCollection(let name):
      "the collection \(name) isn't one that is kept in step; name it in the options"
    case .unstamped(let name):
      "edits in the collection \(name) don't carry their time; name the policy 'latest' among the"
        + " collection's own, and they do from then on"
    case .noQueries: "the server's endpoint knows no queries; ask what is stored here instead"
    case .noNews: "the server's endpoint tells no news by itself; sync now and then instead"
    case .noFiles:
      "the server keeps no files, and nothing was attached; put the file where others can fetch it,"
        + " and save its address in the member"
    case .makesKeys(let name):
      "nothing was sent again: the server makes the ids in the collection \(name) itself, so that"
        + " what it lost can't be made again under the same; export the documents, and import them"
        + " into a new store"
    case .signedOut, .badName, .badPassword, .notOffered, .noCredentials, .unsentEdits,
      .knownTooLate, .overtaken:
      ofAccount
    }
  }

  private var ofDocument: String {
    switch self {
    case .noDocument(let id): "there is no document \(id); save it first"
    case .isThere(let id): "there is a document \(id) already; take another id"
    case .notAnObject(let id): "what is to be stored as \(id) is no object"
    case .atHomeElsewhere(let id, let collection):
      "\(id) is a document of the collection \(collection) already; an account has an id once,"
        + " so that one of the two needs another"
    case .isMadeOf(let id, let key):
      "the service made \(key) of \(id), which is here still; delete \(id) here, and \(key) comes"
        + " with the next sync"
    case .cannotTravel(let id, let why): "the document \(id) can't be sent: \(why)"
    case .badLine(let line, let why): "line \(line): \(why)"
    default: "a document needs an id"
    }
  }

  private var ofAccount: String {
    switch self {
    case .signedOut: "nobody is signed in; sign in first"
    case .badName(let why): "the name can't be used: \(why)"
    case .badPassword(let why): "the password can't be used: \(why)"
    case .notOffered(let offer): "the service doesn't offer \(offer)"
    case .noCredentials: "the service gave no credentials"
    case .unsentEdits(let count):
      "\(count == 1 ? "a change" : "\(count) changes") of another account "
        + "\(count == 1 ? "waits" : "wait") to be sent: say whether to keep or to drop "
        + (count == 1 ? "it" : "them")
    case .knownTooLate: "who is signed in became known only during this sync: sync once more"
    default: "somebody else signed in or out meanwhile"
    }
  }
}
