private import SyncDatabase
import SyncFolder
import SyncTransport

/// What an error says to a person: the sentence of our own errors, never a dump of a value.
func sentence(of error: any Error) -> String {
  switch error {
  case let error as DatabaseError: "\(MirrorError(error))"
  case is CancellationError: "it was cancelled"
  default: "\(error)"
  }
}

/// The same after the name of the item that it happened to, escaped, which is not said again.
func sentence(of error: any Error, about item: String) -> String {
  switch error {
  case let error as FolderError where error.path == item: error.descriptionOfIt
  case let error as UnusableEntry where error.key.map { "\($0)" == item } ?? true:
    error.descriptionOfIt
  default: sentence(of: error)
  }
}

/// Which option of the mirror may help after an error.
func advice(of error: any Error) -> MirrorAdvice? {
  switch error {
  case let error as MirrorError: error.advice
  case let error as FolderError: error.advice
  case let error as CatalogError: error.advice
  case let error as ItemError: error.advice
  case let error as TransportError: error.advice
  case let error as UnusableEntry: error.advice
  default: nil
  }
}
