private import SyncDatabase

/// What an error says to a person: the sentence of our own errors, never a dump of a value.
func sentence(of error: any Error) -> String {
  switch error {
  case let error as DatabaseError: "\(MirrorError(error))"
  case is CancellationError: "it was cancelled"
  default: "\(error)"
  }
}
