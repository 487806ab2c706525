import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// How the network is reached: what may be chosen arrives where requests are made.
final class ReachingTests: RunTestCase {
  private func configuration(
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> TransportConfiguration {
    let made = Locked<TransportConfiguration?>(nil)
    var options = MirrorOptions(catalog: Self.catalogURL, folder: folder)
    options.durability = .none
    change(&options)
    var environment = environment
    environment.makeTransport = { [site] configuration in
      made.withLock { $0 = configuration }
      return site
    }
    site.forgetLog()
    assertEnds(try await FolderMirror(options, in: environment).sync())
    return try XCTUnwrap(made.withLock { $0 })
  }

  func testLimitsOfTimeAreThoseOfEachRequest() async throws {
    try serve([Thing("a", "alpha")])
    _ = try await configuration()
    XCTAssertEqual(site.log.map(\.connectTimeout), [.seconds(30), .seconds(30)])
    XCTAssertEqual(site.log.map(\.stallLimit), [StallLimit(), StallLimit()])
    try serve([Thing("a", "beta")])
    _ = try await configuration {
      $0.connectTimeout = .seconds(3)
      $0.stallTimeout = .seconds(7)
    }
    XCTAssertEqual(site.log.map(\.connectTimeout), [.seconds(3), .seconds(3)])
    XCTAssertEqual(site.log.map(\.stallLimit.span), [.seconds(7), .seconds(7)])
  }

  func testAProxyOfOnesOwnGoesBeforeTheEnvironments() async throws {
    try serve([Thing("a", "alpha")])
    try await assertEqual(configuration().proxy, .environment)
    let own = try await configuration { $0.access.proxy = .url("http://proxy.test:3128") }
    XCTAssertEqual(own.proxy, .url("http://proxy.test:3128"))
    let none = try await configuration { $0.access.proxy = .none }
    XCTAssertEqual(none.proxy, .none)
  }

  /// What was trusted once isn't trusted again without a word.
  func testServersAreCheckedUnlessEachRunSaysOtherwise() async throws {
    try serve([Thing("a", "alpha")])
    try await assertFalse(configuration { $0.access.verifiesServers = false }.verifiesServers)
    try await assertTrue(configuration().verifiesServers)
  }
}
