import SyncTransport
import XCTest

final class IPAddressTests: XCTestCase {
  func testScopes() throws {
    let table: [(String, IPAddress.Scope)] = [
      ("127.0.0.1", .loopback), ("127.255.0.9", .loopback), ("10.0.0.1", .privateUse),
      ("172.15.255.255", .global), ("172.16.0.1", .privateUse), ("172.31.255.255", .privateUse),
      ("172.32.0.0", .global), ("192.168.1.1", .privateUse), ("192.169.0.1", .global),
      ("169.254.169.254", .linkLocal), ("100.64.0.1", .shared), ("100.127.255.255", .shared),
      ("100.128.0.0", .global), ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified),
      ("224.0.0.1", .multicast), ("255.255.255.255", .multicast), ("240.0.0.1", .reserved),
      ("198.18.0.1", .reserved), ("192.0.2.1", .reserved), ("8.8.8.8", .global),
      ("::1", .loopback), ("::", .unspecified), ("fe80::1", .linkLocal), ("fec0::1", .linkLocal),
      ("fd00::1", .uniqueLocal), ("fc00::1", .uniqueLocal), ("ff02::1", .multicast),
      ("2001:db8::1", .reserved), ("2606:4700::1111", .global), ("::ffff:127.0.0.1", .loopback),
      ("::ffff:8.8.8.8", .global), ("::ffff:10.1.2.3", .privateUse), ("::10.1.2.3", .privateUse),
      ("64:ff9b::169.254.169.254", .linkLocal), ("64:ff9b::8.8.8.8", .global),
      ("2002:7f00:1::", .loopback), ("2002:808:808::", .global),
    ]
    for (text, scope) in table {
      let address = try XCTUnwrap(IPAddress(text), text)
      XCTAssertEqual(address.scope, scope, text)
      XCTAssertEqual(address.isPublic, scope == .global, text)
    }
  }

  func testTextReadsBack() throws {
    for text in ["1.2.3.4", "::1", "2001:db8::1", "fe80::1"] {
      XCTAssertEqual("\(try XCTUnwrap(IPAddress(text)))", text)
    }
    XCTAssertEqual(IPAddress("[::1]"), IPAddress("::1"))
    XCTAssertEqual(IPAddress("fe80::1%eth0"), IPAddress("fe80::1"))
    for text in ["", "1.2.3", "1.2.3.256", "host", "::g", "1.2.3.4\u{0}"] {
      XCTAssertNil(IPAddress(text), text)
    }
    XCTAssertNil(IPAddress(bytes: [1, 2, 3]))
  }

  func testNetworks() throws {
    let address = try XCTUnwrap(IPAddress("192.168.77.1"))
    let network = try XCTUnwrap(IPAddress("192.168.64.0"))
    XCTAssertTrue(address.isIn(network, prefix: 18))
    XCTAssertFalse(address.isIn(network, prefix: 24))
    XCTAssertTrue(address.isIn(network, prefix: 0))
    XCTAssertFalse(address.isIn(try XCTUnwrap(IPAddress("::")), prefix: 0))
    XCTAssertFalse(address.isIn(network, prefix: 33))
  }
}
