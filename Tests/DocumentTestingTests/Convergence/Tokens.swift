@testable import DocumentSync

extension DocumentValue {
  /// All strings in it, at any depth.
  var tokens: Set<String> {
    if let string { return [string] }
    let inside = members?.map(\.value) ?? elements ?? []
    return inside.reduce(into: []) { $0.formUnion($1.tokens) }
  }
}

extension DocumentReport {
  /// What was done, in a line for a log.
  var summary: String {
    let parts: [(String, [String])] = [
      ("sent", sent.map { "\($0.id)" }), ("received", received.map { "\($0.id)" }),
      ("conflicts", conflicts.map { "\($0.id) \($0.policies)\($0.isParked ? " parked" : "")" }),
      ("failures", failures.map { "\($0.name): \($0.words)" }),
      ("lost", lost.map { "\($0.id) \($0.loss.path) \($0.loss.value?.text ?? "nothing")" }),
      ("refused", refusedRemovals.map { "\($0.count)" }), ("compared", compared),
      ("errors", errors.map { "\($0)" }),
    ]
    return parts.filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
  }
}
