import Console
import RecordSync

struct Failure: Equatable {
  let status: ExitStatus
  let sentence: String

  /// - Parameter invocation: What was asked for, of which a sentence may need to speak.
  init(_ error: any Error, of invocation: Invocation) {
    status = ExitStatus(error)
    sentence = Sentence.ending(Self.words(for: error, invocation))
  }

  private static func words(for error: any Error, _ invocation: Invocation) -> String {
    switch error {
    case is CancellationError: "it was cancelled, and nothing was written; run it again."
    case let error as RecordError: error.told
    case let problem as SchemaProblem: problem.told
    case .unreadable(let reason) as PayloadProblem:
      """
      '\((invocation.row.file ?? invocation.syncing.payload).escaped)' can't be read: \
      \(reason). Check that it is there and may be read.
      """
    case PayloadProblem.errorBody, PayloadProblem.strangeObject, PayloadProblem.likeError:
      "\(error)".adding("records put")
    case PayloadProblem.likeErrors, PayloadProblem.errorAtEnd: "\(error)".adding("--keep")
    case let error as DatabaseError: error.sentenceOfOwnDatabase
    default: "\(error)"
    }
  }

  /// Tells it, on standard error and, where lines of JSON were asked for, as a report, too.
  func tell(_ style: Invocation.Style) {
    Streams.error("records: \(sentence)")
    guard style == .json else { return }
    JSONLine.write("report") { line in
      line.add("status", "failed")
      line.add("sentence", sentence)
    }
  }
}

extension ExitStatus {
  init(_ error: any Error) {
    switch error {
    case RecordError.removalRefused: self = .refused
    // Another command line would do.
    case RecordError.table(_, .noForeignKey), RecordError.table(_, .severalForeignKeys),
      RecordError.condition, RecordError.order, SchemaProblem.file:
      self = .usage
    case let error as DatabaseError where error.code == .busy: self = .locked
    case RecordError.opening(.changing): self = .locked
    default: self = ExitStatus(ofAnyProgram: error)
    }
  }
}

extension RecordError {
  /// The sentence for whoever called this program, with the option that does what it advises.
  var told: String {
    switch self {
    case .schema(let problem): problem.told
    case .removalRefused(_, let count, _, let most, _):
      description.adding("--max-delete \(most ?? count), or --keep to delete nothing")
    case .table(_, .severalForeignKeys(let parent, let columns)):
      description.adding("--parent \(parent):KEY:\(columns.first ?? "COLUMN")")
    case .table(_, .noMark): description.adding("--deleted-at; --create makes it")
    case .condition: description.adding("--where, --bind")
    case .strict: description.adding("without --strict")
    case .undo(.unfollowable): description.adding("without --undo")
    case .order: description.adding("--order")
    case .table, .noParent, .notOneObject, .keyTaken, .opening, .undo, .statement: description
    }
  }
}

extension SchemaProblem {
  var told: String {
    switch self {
    case .withoutKey, .ambiguousRelation, .sameName: description.adding("in a file, by --schema")
    default: description
    }
  }
}

extension String {
  /// A sentence with what does it in brackets, before its full stop.
  fileprivate func adding(_ option: String) -> String {
    hasSuffix(".") ? "\(dropLast()) (\(option))." : "\(self) (\(option))"
  }
}
