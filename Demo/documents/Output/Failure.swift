import Console
import DocumentSync
import SyncDatabase
import SyncEngine

/// Why a command failed.
struct Failure {
  let status: ExitStatus
  /// A whole sentence, or several.
  let sentence: String

  init(_ error: any Error) {
    let cause = Self.cause(error)
    status = Self.status(cause)
    sentence = Sentence.ending(Self.words(cause))
  }

  /// What is behind an engine's error.
  private static func cause(_ error: any Error) -> any Error {
    guard let error = error as? SyncError<String> else { return error }
    return error.report.failures.first?.cause ?? error
  }

  private static func status(_ error: any Error) -> ExitStatus {
    switch error {
    case SyncTurn.Problem.taken: .locked
    case let error as DatabaseError where error.code == .busy: .locked
    default: ExitStatus(ofAnyProgram: error)
    }
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case is CancellationError: "it was cancelled; nothing that was saved is lost. Run it again"
    case SyncTurn.Problem.taken:
      "another sync or watch of this store is under way; try again when it has ended"
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
