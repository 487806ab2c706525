import SyncTransport
import XCTest

final class IPAddressTests: XCTestCase {
  func testAnAddressHasTheScopeOfItsNetwork() throws {
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

  /// Every form in which IPv6 carries an IPv4 address: it reaches no farther than that one.
  func testIPv4InIPv6ReachesNoFarther() throws {
    let table: [(String, IPAddress.Scope)] = [
      ("::ffff:10.0.0.5", .privateUse), ("::10.0.0.5", .privateUse),
      ("::ffff:0:10.0.0.5", .privateUse), ("::ffff:0:a00:5", .privateUse),
      ("::ffff:0:127.0.0.1", .loopback), ("::ffff:0:169.254.169.254", .linkLocal),
      ("::ffff:0:8.8.8.8", .global), ("::ffff:0:0.0.0.0", .unspecified),
      ("64:ff9b::10.0.0.5", .privateUse), ("64:ff9b::8.8.8.8", .global),
      ("64:ff9b::1:8.8.8.8", .reserved), ("64:ff9b:2::8.8.8.8", .reserved),
      // Translated for one network's own use, wherever in it the IPv4 address stands (RFC 6052).
      ("64:ff9b:1::10.0.0.5", .privateUse), ("64:ff9b:1::8.8.8.8", .privateUse),
      ("64:ff9b:1:a00:0:500::", .privateUse), ("64:ff9b:1:fffe::8.8.8.8", .privateUse),
      ("2002:a00:5::1", .privateUse), ("2002:7f00:1::", .loopback), ("2002:808:808::1", .global),
      // Teredo: the server stands in front, the client at the end with every bit turned over.
      ("2001:0:a00:5:0:0:f7f7:f7f7", .reserved), ("2001:0:808:808:0:0:f5ff:fffa", .reserved),
      ("2001:0:808:808:0:0:f7f7:f7f7", .reserved),
      // ISATAP, under a public prefix and under the link's.
      ("2a00:1::5efe:10.0.0.5", .privateUse), ("2a00:1::200:5efe:10.0.0.5", .privateUse),
      ("2a00:1::300:5efe:127.0.0.1", .loopback), ("2a00:1::5efe:8.8.8.8", .global),
      ("2a00:1::400:5efe:10.0.0.5", .global), ("fe80::5efe:8.8.8.8", .linkLocal),
    ]
    for (text, scope) in table {
      XCTAssertEqual(try XCTUnwrap(IPAddress(text), text).scope, scope, text)
    }
  }

  /// The registries of special-purpose addresses, of IANA.
  func testWhatIsSetAsideIsNotPublic() throws {
    let inside = [
      "0.0.0.0", "10.255.255.255", "100.64.0.0", "127.1.2.3", "169.254.0.1", "172.16.0.0",
      "192.0.0.9", "192.0.2.255", "192.88.99.1", "192.168.0.0", "198.18.0.0", "198.19.255.255",
      "198.51.100.1", "203.0.113.1", "224.0.0.0", "239.255.255.255", "240.0.0.0",
      "255.255.255.255", "::", "::1", "100::1", "100:0:0:1::1", "100:ffff::1", "2001:1::1",
      "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8:ffff::1", "3fff::1", "3fff:fff::1",
      "5f00::1", "4000::1", "1::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1",
      "feff::1", "ff00::1", "ff0e::1",
    ]
    for text in inside {
      XCTAssertFalse(try XCTUnwrap(IPAddress(text), text).isPublic, text)
    }
    let outside = [
      "1.1.1.1", "192.0.1.1", "192.88.98.1", "198.20.0.1", "223.255.255.255", "2000::1",
      "2001:200::1", "2001:4860::8888", "2606:4700::1111", "2a00:1450::1", "3ffe::1",
      "3fff:1000::1",
    ]
    for text in outside { XCTAssertTrue(try XCTUnwrap(IPAddress(text), text).isPublic, text) }
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

  func testAnAddressIsInTheNetworkThatSharesItsPrefix() throws {
    let address = try XCTUnwrap(IPAddress("192.168.77.1"))
    let network = try XCTUnwrap(IPAddress("192.168.64.0"))
    XCTAssertTrue(address.isIn(network, prefix: 18))
    XCTAssertFalse(address.isIn(network, prefix: 24))
    XCTAssertTrue(address.isIn(network, prefix: 0))
    XCTAssertFalse(address.isIn(try XCTUnwrap(IPAddress("::")), prefix: 0))
    XCTAssertFalse(address.isIn(network, prefix: 33))
  }
}
