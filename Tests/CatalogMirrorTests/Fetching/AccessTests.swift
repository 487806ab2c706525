import Foundation
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFetching

/// What is sent to whom, and who may be talked to.
final class AccessTests: RunTestCase {
  private let secret = "s3cr3t-word"

  private func authorized(_ options: inout MirrorOptions) {
    options.catalog = "https://user:\(secret)@mirror.test/pub/catalog.ndjson?key=query-\(secret)"
    options.access.headers = [.init(name: "X-Token", value: "header-\(secret)")]
  }

  private func serveAuthorized(_ things: [Thing]) throws {
    try serve(things)
    let text = try catalog(things)
    try site.answer(Self.catalogURL + "?key=query-\(secret)", .text(text, ("ETag", "\"1\"")))
  }

  func testTheNetrcFileIsConsultedForTheCatalogsOriginOnly() async throws {
    let elsewhere = "https://other.test/b"
    try serve([Thing("a", "alpha"), Thing("b", "beta") { $0.urls = [elsewhere] }])
    try site.answer(elsewhere, .text("beta"))
    try await syncWell { $0.access.usesNetrc = true }
    XCTAssertEqual(
      Dictionary(grouping: site.log, by: \.address.host).mapValues { $0.map(\.usesNetrc) },
      ["mirror.test": [true, true], "other.test": [false]])
  }

  func testUserInfoIsUsedAndNeverStored() async throws {
    try serveAuthorized([Thing("a", "alpha"), Thing("bad", "x")])
    try site.answer(Self.root + "bad", .status(403))
    let mirror = mirror(authorized)
    var events = mirror.events.makeAsyncIterator()
    let report = try await mirror.sync()
    mirror.endEvents()
    XCTAssertEqual(report.outcome, .someFailed)
    let basic = "Basic " + Data("user:\(secret)".utf8).base64EncodedString()
    XCTAssertEqual(site.log.map { $0.headers["Authorization"] }, [basic, basic, basic])
    XCTAssertEqual(site.log.map { $0.headers["X-Token"] }.count { $0 == "header-\(secret)" }, 3)
    try serveAuthorized([Thing("a", "alpha")])
    try await syncWell(authorized)
    for (name, text) in try files(below: folder) {
      XCTAssertFalse(text.contains(secret), "the secret stands in \(name)")
      XCTAssertFalse(text.contains(String(basic.dropFirst(6))), "it stands in \(name)")
    }
    try await assertFalse("\(report)\(mirror.status())".contains(secret))
    while let event = await events.next() { XCTAssertFalse("\(event)".contains(secret)) }
  }

  func testAQueryOfTheCatalogBindsTheValidators() async throws {
    try serveAuthorized([Thing("a", "alpha")])
    try await syncWell(authorized)
    try await assertTrue(syncWell(authorized).wasUnchanged)
    try await syncWell()
    XCTAssertNil(site.log.first?.headers["If-None-Match"])
  }

  func testCredentialsAndHeadersStayWithTheirOrigin() async throws {
    let elsewhere = "https://elsewhere.test/a"
    try serveAuthorized([
      Thing("a", "alpha"), Thing("b", "beta") { $0.urls = ["https://mirror.test:8443/b"] },
    ])
    try site.answer(Self.root + "a", .status(302, ("Location", elsewhere)))
    try site.answer(elsewhere, .text("alpha"))
    try await syncWell(authorized)
    for request in site.log {
      let isOwn = request.address.origin.description == "https://mirror.test"
      XCTAssertEqual(request.headers["Authorization"] != nil, isOwn, "\(request.address)")
      XCTAssertEqual(request.headers["X-Token"] != nil, isOwn, "\(request.address)")
    }
    XCTAssertEqual(Set(site.log.map(\.address.host)), ["mirror.test", "elsewhere.test"])
  }

  func testUserInfoInALocatorOrARedirectIsNotUsed() async throws {
    try await sync(
      to: [Thing("a", "alpha") { $0.urls = ["https://other:pw@mirror.test/pub/a"] }],
      ending: .someFailed)
    try serve([Thing("a", "alpha")])
    try site.answer(Self.root + "a", .status(302, ("Location", "https://u:p@mirror.test/pub/x")))
    try site.answer(Self.root + "x", .text("alpha"))
    try await syncWell()
    XCTAssertEqual(site.log.compactMap { $0.headers["Authorization"] }, [])
  }

  func testAnItemAtAPrivateAddressIsRefused() async throws {
    for host in ["127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]"] {
      let url = "http://\(host)/a"
      try serve([Thing("a", "alpha") { $0.urls = [url] }, Thing("b", "beta")])
      var answer = Site.Answer.text("alpha")
      answer.remote = IPAddress(host.trimmingCharacters(in: ["[", "]"]))
      try site.answer(url, answer)
      try await assertEqual(sync().failures.map(\.key), ["a"], host)
      XCTAssertEqual(try tree(), ["b": "beta"])
    }
  }

  func testANameThatLeadsToAPrivateAddressIsRefusedUnlessItIsAllowed() async throws {
    let url = "https://inside.test/a"
    try serve([Thing("a", "alpha") { $0.urls = [url] }, Thing("b", "beta")])
    var answer = Site.Answer.text("alpha")
    answer.remote = IPAddress("192.168.0.7")
    try site.answer(url, answer)
    let report = try await sync()
    XCTAssertEqual(report.failures.map(\.key), ["a"])
    XCTAssert(report.failures.first?.sentence.contains("isn't allowed") ?? false)
    try await syncWell { $0.allowedHosts = ["inside.test"] }
    XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta"])
  }

  func testARedirectIntoAPrivateNetworkIsRefused() async throws {
    try serve([Thing("a", "alpha")])
    try site.answer(Self.root + "a", .status(302, ("Location", "https://inside.test/a")))
    var answer = Site.Answer.text("alpha")
    answer.remote = IPAddress("10.0.0.1")
    try site.answer("https://inside.test/a", answer)
    try await sync(ending: .someFailed)
    XCTAssertEqual(try tree(), [:])
  }

  func testACatalogInAPrivateNetworkServesItsOwnItems() async throws {
    try serve([Thing("a", "alpha")])
    for (name, text) in [("catalog.ndjson", try catalog([Thing("a", "alpha")])), ("a", "alpha")] {
      var answer = Site.Answer.text(text)
      answer.remote = IPAddress("10.0.0.1")
      try site.answer(Self.root + name, answer)
    }
    try await syncWell()
  }

  func testACatalogFromTheWebReachesNoFile() async throws {
    try put("private", at: base + "/private")
    let report = try await sync(to: [
      Thing("a", "private") { $0.urls = ["file://\(self.base)/private"] }
    ])
    XCTAssertEqual(report.failures.map(\.key), ["a"])
    XCTAssertEqual(try tree(), [:])
  }

  func testAFileURLWithoutAPathIsRefused() async throws {
    // Found by fuzzing: it ended the program.
    for address in ["file:", "file://", "file:catalog"] {
      do {
        let report = try await sync { $0.catalog = address }
        XCTFail("\(address): \(report)")
      } catch MirrorError.badCatalogAddress(let shown) {
        XCTAssertEqual(shown, address)
      }
    }
  }

  func testACatalogThatIsAFileReachesNothingOutsideItsFolder() async throws {
    try put("private", at: base + "/private")
    let outside = [
      "file://\(base)/private", "file://\(published)/../private", "../private",
      "file://\(published)/%2e%2e/private",
    ]
    try publish(outside.indices.map { Thing("\($0)", "private") })
    let things = outside.enumerated().map { number, url in
      Thing("\(number)", "private") { $0.urls = [url] }
    }
    try put(catalog(things), at: published + "/catalog.ndjson")
    try makeLink(at: published + "/link", to: base + "/private")
    let linked = things + [Thing("link", "private")]
    try put(catalog(linked), at: published + "/catalog.ndjson")
    try await assertEqual(sync { $0.catalog = fileCatalog }.failures.count, 5)
    XCTAssertEqual(try tree(), [:])
  }

  func testNoRedirectLeavesHTTPSAndTenAreFollowedAtMost() async throws {
    try serve([Thing("a", "alpha"), Thing("b", "beta")])
    try site.answer(Self.root + "a", .status(301, ("Location", "http://mirror.test/a")))
    try site.answer("http://mirror.test/a", .text("alpha"))
    try site.answer(Self.root + "b", .status(301, ("Location", Self.root + "b")))
    try await assertEqual(Set(sync().failures.map(\.key)), ["a", "b"])
    XCTAssertEqual(site.asked.filter { $0 == "/pub/b" }.count, 11)
    XCTAssertFalse(site.log.contains { $0.address.scheme == "http" })
  }
}
