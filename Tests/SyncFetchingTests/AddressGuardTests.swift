import SyncTransport
import XCTest
@testable import SyncFetching

/// Which addresses may be talked to, as a table.
final class AddressGuardTests: XCTestCase {
  private struct Row {
    /// Where the catalog's host was met, before.
    var met: String?
    var host: String
    var address: String
    var isAdmitted: Bool
  }

  private static let rows = [
    // Public addresses are for everybody.
    Row(met: nil, host: "other", address: "93.184.216.34", isAdmitted: true),
    Row(met: "10.0.0.1", host: "other", address: "2606:2800:220:1::1", isAdmitted: true),
    // The catalog's own host, before anything is known.
    Row(met: nil, host: "catalog", address: "10.0.0.1", isAdmitted: true),
    Row(met: nil, host: "catalog", address: "127.0.0.1", isAdmitted: true),
    // It may move within the same kind of address, and nowhere else.
    Row(met: "10.0.0.1", host: "catalog", address: "10.0.0.2", isAdmitted: true),
    Row(met: "10.0.0.1", host: "catalog", address: "192.168.1.1", isAdmitted: true),
    Row(met: "10.0.0.1", host: "catalog", address: "127.0.0.1", isAdmitted: false),
    Row(met: "10.0.0.1", host: "catalog", address: "169.254.169.254", isAdmitted: false),
    Row(met: "93.184.216.34", host: "catalog", address: "10.0.0.1", isAdmitted: false),
    Row(met: "93.184.216.34", host: "catalog", address: "127.0.0.1", isAdmitted: false),
    Row(met: "127.0.0.1", host: "catalog", address: "::1", isAdmitted: true),
    // Another host, only where the catalog itself is.
    Row(met: nil, host: "other", address: "10.0.0.1", isAdmitted: false),
    Row(met: "10.0.0.1", host: "other", address: "10.0.0.1", isAdmitted: true),
    Row(met: "10.0.0.1", host: "other", address: "10.0.0.2", isAdmitted: false),
    Row(met: "127.0.0.1", host: "other", address: "127.0.0.1", isAdmitted: true),
    Row(met: "93.184.216.34", host: "other", address: "169.254.169.254", isAdmitted: false),
    // An IPv4 address in IPv6 clothes is what it is.
    Row(met: nil, host: "other", address: "::ffff:10.0.0.1", isAdmitted: false),
    Row(met: nil, host: "other", address: "::ffff:127.0.0.1", isAdmitted: false),
    Row(met: nil, host: "other", address: "::ffff:0:10.0.0.5", isAdmitted: false),
    Row(met: nil, host: "other", address: "64:ff9b:1::10.0.0.5", isAdmitted: false),
    // By name.
    Row(met: nil, host: "allowed", address: "10.0.0.1", isAdmitted: true),
    Row(met: "93.184.216.34", host: "allowed", address: "127.0.0.1", isAdmitted: true),
  ]

  func testEachHostIsAdmittedAtTheAddressesThatItsRowSays() throws {
    for row in Self.rows {
      let addressGuard = AddressGuard(sourceHost: "catalog", allowedHosts: ["allowed"])
      if let address = row.met {
        let met = try XCTUnwrap(IPAddress(address))
        XCTAssert(addressGuard.admits(met, for: "catalog"))
        addressGuard.met("catalog", at: met)
      }
      XCTAssertEqual(
        addressGuard.admits(try XCTUnwrap(IPAddress(row.address)), for: row.host),
        row.isAdmitted, "\(row)")
    }
  }

  func testAnAddressThatWasOnlyTriedTeachesNothing() throws {
    // A host with a public address that can't be reached from here, and a private one that can.
    let addressGuard = AddressGuard(sourceHost: "catalog", allowedHosts: [])
    XCTAssert(addressGuard.admits(try XCTUnwrap(IPAddress("2606:2800:220:1::1")), for: "catalog"))
    let reached = try XCTUnwrap(IPAddress("192.168.1.7"))
    XCTAssert(addressGuard.admits(reached, for: "catalog"))
    addressGuard.met("catalog", at: reached)
    XCTAssert(addressGuard.admits(reached, for: "other"))
    XCTAssertFalse(addressGuard.admits(try XCTUnwrap(IPAddress("127.0.0.1")), for: "catalog"))
  }
}
