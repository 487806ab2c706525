extension DocumentProcessor.Pass {
  /// For how long a server that was in trouble isn't to be asked after it; `nil` where there's
  /// nothing that a later sync could do better.
  var rest: Duration? {
    let report = tally.report
    let mayPass = report.errors.contains(where: \.mayPass)
    return mayPass || report.failures.contains(where: \.isWaiting) ? talk.rest : nil
  }
}
