import Console
import DocumentSync

/// What this program can't do with the store or the files that it was given.
enum ProgramProblem: Error, CustomStringConvertible {
  case noStore(String)
  case outOfReach(String, String)
  case notSetUp(String)
  case otherServer(String, StoreSetup)
  case otherDialect(String)
  case otherCollection(String, type: String, String)
  case unsent(Int, account: String)
  case noPassword(account: String)
  case unreadable(String)
  case elsewhere(DocumentID, type: String)
  case keyOfTheService(DocumentID, type: String)
  case unknown(DocumentID)
  case letsNobodyIn(String)

  var description: String {
    switch self {
    case .noStore(let path): "there is no store '\(path)'; 'documents init' makes one"
    case .outOfReach(let path, let reason):
      "whether there is a store '\(path)' can't be told: \(reason); check the path, and the rights"
        + " of its folders"
    case .notSetUp(let path):
      "'\(path)' isn't told its server yet; 'documents init' tells it"
    case .otherServer(let path, let setup):
      "'\(path)' goes with \(setup.place) already; nothing was changed."
        + Self.another("server")
    case .otherDialect(let path):
      "the service of '\(path)' was told to have other rows; nothing was changed."
        + " Leave out what is said of rows." + Self.another("form of rows")
    case .otherCollection(let path, let type, let known):
      "documents of the type '\(type)' are kept in the collection '\(known)' in '\(path)' already;"
        + " nothing was changed." + Self.another("collection")
    case .unsent(let count, let account):
      "\(Amounts.count(count, "unsent edit")) \(count == 1 ? "belongs" : "belong") to '\(account)';"
        + " nothing was changed. Sync first, or say --keep to take over what isn't sent, or --drop"
        + " to lose it"
    case .noPassword(let account):
      "there is no password for '\(account)'; nothing was sent. Name its file with --password-file,"
        + " or set DOCUMENTS_PASSWORD, or write it to the netrc"
    case .unreadable(let path): "'\(path)' can't be read; check its name and rights"
    case .elsewhere(let id, let type):
      "'\(id)' is of another type, '\(type)', already; nothing was stored."
        + " Ids are unique in a store"
    case .keyOfTheService(let id, let type):
      "'\(id)' isn't here, and the service gives its rows such keys itself: it may be another's"
        + " row; nothing was stored. Fetch it first with 'documents fetch', or leave the id out: a"
        + " new '\(type)' gets one, which is printed"
    case .unknown(let id): "nothing is known of a document '\(id)'; nothing was sent"
    case .letsNobodyIn(let advice): advice
    }
  }

  /// What somebody can do who mistook themselves, or thinks otherwise, once a store is in use.
  private static func another(_ what: String) -> String {
    " Another \(what) takes another file: 'documents init' makes it, and what 'documents export'"
      + " prints of this one, 'documents import' saves there"
  }
}
