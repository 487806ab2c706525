import DocumentSync

/// One check over one fixture: pushes documents, follows the lists, and compares what is told with
/// what must be.
final class EndpointCase<Fixture: EndpointFixture> {
  let fixture: Fixture
  let endpoint: Fixture.Endpoint
  let findings: EndpointFindings
  /// What the endpoint says it can do.
  private(set) var capabilities = EndpointCapabilities(features: [])
  /// What the server must have.
  private(set) var expected: [DocumentID: Held] = [:]
  /// Keeps apart what servers remember of several runs.
  private let run = String(UInt32.random(in: .min ... .max), radix: 36)
  private var keys = 0

  /// A document that the server must have.
  struct Held {
    let id: DocumentID
    let body: DocumentValue
    let version: DocumentVersion
  }

  init(_ fixture: Fixture, endpoint: Fixture.Endpoint, findings: EndpointFindings) {
    self.fixture = fixture
    self.endpoint = endpoint
    self.findings = findings
  }

  func report(_ problem: EndpointViolation.Problem, _ id: DocumentID? = nil) {
    findings.report(problem, id)
  }

  /// Asks the endpoint what it can do.
  func learnCapabilities() async throws {
    capabilities = try await endpoint.capabilities()
    guard !capabilities.isReadOnly else { throw NotChecked(reason: "the server is read-only") }
  }

  /// Ends the check unless the endpoint claims to do this.
  func require(_ feature: EndpointCapabilities.Feature) throws {
    guard capabilities.has(feature) else {
      throw NotChecked(reason: "the endpoint claims no \(feature.rawValue)")
    }
  }

  func id(_ name: String) -> DocumentID { DocumentID("\(name)-\(run)") }

  func freshKey() -> String {
    keys += 1
    return "contract-\(run)-\(keys)"
  }

  /// Judges what is kept of a call.
  func hear(_ notes: CallNotes, _ words: String = "") {
    let text = "\(notes.call?.description ?? "") \(words)"
    if fixture.secrets.contains(where: { !$0.isEmpty && text.contains($0) }) {
      report(.secretShown)
    }
  }

  /// Takes down that the server has a document, since it said so.
  @discardableResult
  func accepted(_ reply: PushReply, _ id: DocumentID, _ body: DocumentValue) throws -> Held {
    guard reply.isSuccess, let version = reply.end.answer?.version else {
      report(.callFailed(reply.end.summary), id)
      throw CaseIsOver()
    }
    let held = Held(id: id, body: body, version: version)
    expected[id] = held
    return held
  }

  /// Takes down that the server has a document no more.
  func expectNone(_ id: DocumentID) {
    expected[id] = nil
  }

  /// Takes down that the server has nothing, since it forgot everything.
  func expectNothing() {
    expected = [:]
  }
}
