import DocumentSync

/// Where the violations that one check finds are gathered, each once.
final class EndpointFindings {
  let check: EndpointCheck
  private(set) var violations: [EndpointViolation] = []
  /// Why the check, or a part of it, wasn't made.
  var notChecked: String?

  init(check: EndpointCheck) {
    self.check = check
  }

  func report(_ problem: EndpointViolation.Problem, _ id: DocumentID? = nil) {
    let violation = EndpointViolation(check: check, id: id, problem: problem)
    if !violations.contains(violation) { violations.append(violation) }
  }
}

/// Something had to succeed and didn't: what comes after it would only repeat that in other words.
struct CaseIsOver: Error {}

/// A check that doesn't apply to an endpoint.
struct NotChecked: Error {
  let reason: String
}
