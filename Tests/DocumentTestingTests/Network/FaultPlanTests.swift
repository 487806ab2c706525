import DocumentSync
import DocumentTesting
import TestSupport
import XCTest

final class FaultPlanTests: XCTestCase {
  /// What went wrong with so many calls.
  private func faults(of plan: FaultPlan, calls: Int) async -> [ServerFault?] {
    let server = ReferenceServer()
    let endpoint = server.endpoint(named: "mine", faults: plan)
    for _ in 0..<calls { _ = try? await endpoint.capabilities() }
    return server.calls.map(\.fault)
  }

  func testAScriptIsFollowedToItsEnd() async {
    let script: [ServerFault?] = [nil, .requestLost, nil, .unauthorized]
    await assertEqual(faults(of: .script(script), calls: 6), script + [nil, nil])
  }

  func testATroubleMayLast() async {
    let seen = await faults(of: .always(.unreachable), calls: 3)
    XCTAssertEqual(seen, [.unreachable, .unreachable, .unreachable])
  }

  func testASeedChoosesAsOftenAndAmongWhatItWasToldTo() async {
    let some: [ServerFault] = [.requestLost, .answerLost]
    let seen = await faults(of: .seeded(7, oneIn: 4, among: some), calls: 4_000)
    let wrong = seen.compactMap { $0 }
    XCTAssertEqual(Set(wrong), Set(some))
    XCTAssertEqual(Double(wrong.count), 1_000, accuracy: 150)
    await assertEqual(faults(of: .seeded(7, oneIn: 4, among: some), calls: 4_000), seen)
    let other = await faults(of: .seeded(8, oneIn: 4, among: some), calls: 4_000)
    XCTAssertNotEqual(other, seen)
  }

  func testAPlanStaysUntilThereIsAnotherOne() async {
    let server = ReferenceServer()
    let endpoint = server.endpoint(named: "mine", faults: .always(.unreachable))
    let same = server.endpoint(named: "mine")
    for one in [endpoint, same] { _ = try? await one.capabilities() }
    server.setFaults(.none, of: "mine")
    _ = try? await endpoint.capabilities()
    XCTAssertEqual(server.calls.map(\.fault), [.unreachable, .unreachable, nil])
  }
}
