import Foundation
import TestSupport
import XCTest

/// A row of the matrix that takes a network of its own: a catalog at a public address, another
/// public host, and servers at private addresses that no run may ever reach.
class PrivateNetworkTestCase: FaultTestCase {
  private var made: PrivateNetwork?
  private(set) var watchers: [FaultServer] = []

  static let catalogAddress = "5.5.5.5"
  static let otherAddress = "5.5.5.6"
  /// An address of this machine at which nobody listens.
  static let emptyAddress = "5.5.5.7"
  private static let watched =
    ["127.0.0.1", "::1", "10.1.2.3", "169.254.169.254", "192.168.7.7"] + translated
  /// As a translator has them, through which a host without IPv4 reaches 10.1.2.3 (RFC 7915, RFC
  /// 8215, RFC 5214).
  private static let translated = [
    "::ffff:0:10.1.2.3", "64:ff9b:1::10.1.2.3", "2a00:1::5efe:10.1.2.3",
  ]

  override func setUpWithError() throws {
    try super.setUpWithError()
    let network = try PrivateNetwork(
      addresses: [
        "5.5.5.5/32", "5.5.5.6/32", "5.5.5.7/32", "10.1.2.3/32", "169.254.169.254/32",
        "192.168.7.7/32", "fe80::7/128", "fd00::7/128",
      ] + Self.translated.map { "\($0)/128" },
      names: [
        "127.0.0.1 localhost", "::1 localhost", "5.5.5.5 catalog.test", "5.5.5.6 other.test",
        "10.1.2.3 inside.test",
      ], in: base)
    made = network
    atEnd { network.stop() }
    for address in Self.watched {
      watchers.append(try serveFaults(at: address) { _, _ in FaultAnswer(text: "private") })
    }
    for address in ["fe80::7", "fd00::7"] {
      // A link-local address can be bound only with its link; whoever calls it is refused anyway.
      guard let listener = try? network.listen(at: address) else { continue }
      let server = FaultServer(at: address, listener: listener) { _, _ in FaultAnswer() }
      keep(server)
      watchers.append(server)
    }
  }

  func network() throws -> PrivateNetwork { try XCTUnwrap(made) }

  /// Starts a server at an address of the network.
  func serveFaults(
    at address: String, port: UInt16 = 80, _ script: @escaping FaultServer.Script
  ) throws -> FaultServer {
    let listener = try network().listen(at: address, port: port)
    let server = FaultServer(at: address, listener: listener, script)
    keep(server)
    return server
  }

  /// Answers for the names that the hosts file lacks.
  func name(_ book: @escaping NameServer.Book) throws {
    let names = NameServer(try network().nameServerSocket(), book)
    atEnd { names.stop() }
  }

  /// Runs `mirror` in the network to its end.
  func run(
    _ arguments: [String], environment: [String: String] = [:],
    within limit: Duration = .seconds(60)
  ) throws -> ProgramOutcome {
    let (program, arguments) = try network().command(Programs.mirror, arguments)
    return try start(arguments, program: program, environment: environment).outcome(within: limit)
  }

  /// Runs `mirror sync` in the network, of the catalog at catalog.test.
  func syncInside(_ options: [String] = [], within limit: Duration = .seconds(60)) throws
    -> ProgramOutcome
  {
    try run(
      ["sync", "http://catalog.test" + HonestSite.catalogPath, copy.path] + options, within: limit)
  }

  /// Asserts that no private address was talked to.
  func assertNobodyInsideWasCalled(file: StaticString = #filePath, line: UInt = #line) {
    for watcher in watchers {
      XCTAssertEqual(
        watcher.connectionCount, 0,
        "\(watcher.address) was called: \(watcher.requests.map(\.path))", file: file, line: line)
    }
  }
}
