import Foundation
import TestSupport
import XCTest

final class F12KillTests: FaultTestCase {
  func testF12_aCopyWithoutAFaultConverges() async throws {
    try publish(["a": "one", "b/c": "two"])
    try mirror("publish", source.path)
    let server = try serve()
    try age(catalogIn: source)
    try assertConverges(server.url + "catalog.ndjson", on: server, publishing: "catalog.ndjson")
    let versions = try files(in: source).mapValues { Set([$0]) }
    try await assertNothingIsLost(of: versions, "without a fault")
  }
}
