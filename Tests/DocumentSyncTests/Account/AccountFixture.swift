import DocumentSync
import DocumentTesting

/// The reference server, under an account.
struct AccountFixture: EndpointFixture {
  let server = ReferenceServer(manners: ServerManners(pageSize: 5))
  let account = Account(credentials: MemoryCredentials(.token(name: "ann", token: "t")))
  var otherCollection: String? { "other" }
  var secrets: [String] { [server.endpoint(named: "checked").token] }

  func makeEndpoint() -> AccountEndpoint {
    AccountEndpoint(server.endpoint(named: "checked"), account: account)
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
