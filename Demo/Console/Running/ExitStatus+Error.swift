extension ExitStatus {
  /// How every program ends that met this error, unless it knows more of it: cancelled, not
  /// understood, or failed.
  public init(ofAnyProgram error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case is UsageError, is LogProblem: self = .usage
    default: self = .failed
    }
  }
}
