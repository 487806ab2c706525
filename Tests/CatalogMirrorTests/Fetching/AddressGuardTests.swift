import SyncTransport
import XCTest

@testable import CatalogMirror

/// Which addresses may be talked to (M9), step by step.
final class AddressGuardTests: XCTestCase {
  func testM9_aCatalogInTheOpenLeadsIntoNoPrivateNetwork() throws {
    let guarding = AddressGuard(catalogHost: "open.test", allowedHosts: [])
    XCTAssertTrue(guarding.admits(try ip("93.184.216.34"), for: "open.test"))
    for address in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "0.0.0.0"] {
      XCTAssertFalse(guarding.admits(try ip(address), for: "open.test"), "rebound to \(address)")
      XCTAssertFalse(guarding.admits(try ip(address), for: "other.test"), address)
    }
    XCTAssertTrue(guarding.admits(try ip("93.184.216.35"), for: "other.test"))
  }

  func testM9_aPrivateCatalogOpensItsOwnAddressAndNoOther() throws {
    let guarding = AddressGuard(catalogHost: "intra.test", allowedHosts: [])
    XCTAssertTrue(guarding.admits(try ip("10.0.0.5"), for: "intra.test"))
    XCTAssertTrue(guarding.admits(try ip("10.0.0.5"), for: "other.test"))
    XCTAssertTrue(guarding.admits(try ip("10.0.0.6"), for: "intra.test"), "it moved within its net")
    XCTAssertFalse(guarding.admits(try ip("10.0.0.6"), for: "other.test"))
    XCTAssertFalse(guarding.admits(try ip("127.0.0.1"), for: "intra.test"))
  }

  func testM9_anAllowedHostMayBeAnywhere() throws {
    let guarding = AddressGuard(catalogHost: "open.test", allowedHosts: ["cdn.test"])
    XCTAssertTrue(guarding.admits(try ip("93.184.216.34"), for: "open.test"))
    XCTAssertTrue(guarding.admits(try ip("192.168.1.1"), for: "cdn.test"))
    XCTAssertFalse(guarding.admits(try ip("192.168.1.1"), for: "open.test"))
  }

  private func ip(_ text: String) throws -> IPAddress {
    try XCTUnwrap(IPAddress(text))
  }
}
