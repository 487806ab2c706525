import DocumentSync
import DocumentTesting

/// The reference server, as the contract sees it.
struct ReferenceFixture: EndpointFixture {
  let server: ReferenceServer
  var otherCollection: String? { "other" }
  var secrets: [String] { [server.endpoint(named: "checked").token] }

  init(_ manners: ServerManners = ServerManners(pageSize: 5)) {
    server = ReferenceServer(manners: manners)
  }

  func makeEndpoint() -> ReferenceEndpoint { server.endpoint(named: "checked") }

  func setReadable(_ isReadable: Bool, _ id: DocumentID) -> Bool {
    server.setReadable(isReadable, id, in: collection)
    return true
  }

  func forgetEverything() -> Bool {
    server.suffer(.flush)
    return true
  }

  func stopClock() { server.setTicking(false) }

  func setTrouble(_ trouble: EndpointTrouble?) -> Bool {
    let plan: FaultPlan =
      switch trouble {
      case .portal: .always(.garbled(.before))
      case .noAnswer: .always(.answerLost)
      case .busy: .always(.busy(status: 503, retryAfter: .seconds(7)))
      case .unauthorized: .always(.unauthorized)
      case nil: .none
      }
    server.setFaults(plan, of: "checked")
    return true
  }
}

/// The reference server behind an endpoint with a flaw.
struct FlawedFixture: EndpointFixture {
  let inner: ReferenceFixture
  let flaw: Flaw
  var otherCollection: String? { inner.otherCollection }
  var secrets: [String] { inner.secrets }

  init(_ flaw: Flaw) {
    self.flaw = flaw
    var manners = ServerManners(pageSize: 5)
    if [.leavesOutEqualTimes, .makesUpVersions].contains(flaw) { manners.stamps = .asTheClockSays }
    inner = ReferenceFixture(manners)
  }

  func makeEndpoint() -> FlawedEndpoint {
    FlawedEndpoint(flaw, inner.makeEndpoint(), server: inner.server)
  }

  func setReadable(_ isReadable: Bool, _ id: DocumentID) -> Bool {
    inner.setReadable(isReadable, id)
  }

  func forgetEverything() -> Bool { inner.forgetEverything() }

  func stopClock() { inner.stopClock() }

  func setTrouble(_ trouble: EndpointTrouble?) -> Bool { inner.setTrouble(trouble) }
}

/// A fixture that can do no more than it must.
struct PlainFixture: EndpointFixture {
  let server = ReferenceServer(
    manners: ServerManners(capabilities: EndpointCapabilities(features: []), pageSize: 5))

  func makeEndpoint() -> ReferenceEndpoint { server.endpoint(named: "checked") }
}
