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

/// Which option of the mirror may help after an error.
func advice(of error: any Error) -> MirrorAdvice? {
  switch error {
  case let error as MirrorError: error.advice
  case let error as FolderError: error.advice
  case let error as CatalogError: error.advice
  case let error as ItemError: error.advice
  case let error as TransportError: error.advice
  default: nil
  }
}
