import SyncFolder
import SyncText

/// Why an item can't be placed.
enum Misplacement: Equatable, Sendable {
  /// What stands on the way there isn't ours: the folder of another mirror, above all.
  case folder(FolderError)
  /// This item stands in its way, and stays.
  case inTheWay(CatalogKey)

  var error: any Error {
    switch self {
    case .folder(let error): error
    case .inTheWay(let key): ItemError.inTheWay(key.description)
    }
  }
}
