import Console
import DocumentSync

/// Why a command failed.
struct Failure {
  let status: ExitStatus
  /// A whole sentence, or several.
  let sentence: String

  init(_ error: any Error) {
    status = Self.status(error)
    sentence = Sentence.ending(Self.words(error).printable)
  }

  private static func status(_ error: any Error) -> ExitStatus {
    switch error {
    case DocumentError.isSyncedElsewhere, DocumentError.toldAnew, is ProgramLock.Held: .locked
    case let failure as DocumentSyncFailure: failure.reason.isWait ? .locked : .failed
    case let error as DatabaseError where error.code == .busy: .locked
    default: ExitStatus(ofAnyProgram: error)
    }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case is CancellationError: "it was cancelled; nothing that was saved is lost. Run it again"
    case DocumentError.isSyncedElsewhere, is ProgramLock.Held:
      "another sync or watch of this store is under way; try again when it has ended"
    case DocumentError.toldAnew:
      "'documents init' told the store something else meanwhile; nothing was changed. Run it again"
    case DocumentError.cannotTravel(let id, let why):
      "'\(id)' can't be sent to this server, and wasn't stored: \(Declarations.asOptions(why))"
    case let error as DatabaseError: error.sentenceOfStore
    default: "\(error)"
    }
  }

  /// Tells it, on standard error and, where lines of JSON were asked for, as a report, too.
  func tell(isJSON: Bool) {
    Streams.error("documents: \(sentence)")
    guard isJSON else { return }
    JSONLine.write("report") { line in
      line.add("status", "failed")
      line.add("sentence", sentence)
    }
  }
}

extension DocumentSyncError {
  /// Whether the server is only left alone for a while.
  fileprivate var isWait: Bool { if case .mustWait = self { true } else { false } }
}
