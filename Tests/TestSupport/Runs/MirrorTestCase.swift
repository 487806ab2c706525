import Foundation
public import XCTest

/// A test with a `source` folder, a server for it, and a `copy` that `mirror` keeps.
open class MirrorTestCase: XCTestCase {
  package private(set) var base = URL(filePath: "/")
  private var servers = 0
  private var endings: [() throws -> Void] = []

  package var source: URL { base.appending(path: "source") }
  package var copy: URL { base.appending(path: "copy") }

  /// A day long gone, so that no file is as young as the listing that shows it.
  package static let longAgo = Date(timeIntervalSince1970: 1_500_000_000)

  open override func setUpWithError() throws {
    let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    let base = temporary.appending(path: "mirror-\(UUID().uuidString)")
    self.base = base
    atEnd { try FileManager.default.removeItem(at: base) }
    for name in ["source", "records", "home"] {
      try FileManager.default.createDirectory(
        at: base.appending(path: name), withIntermediateDirectories: true)
    }
  }

  open override func tearDownWithError() throws {
    let ends = endings.reversed().map { end in Result { try end() } }
    for end in ends { try end.get() }
  }

  /// Does something when the test is over, what was said last first.
  package func atEnd(_ body: @escaping () throws -> Void) { endings.append(body) }

  /// Serves `source`, or another folder.
  package func serve(
    _ root: URL? = nil, _ options: NginxServer.Options = NginxServer.Options()
  ) throws -> NginxServer {
    let server = try NginxServer(
      root: root ?? source, state: newState("nginx"), options: options)
    atEnd { try server.stop() }
    return server
  }

  private func newState(_ name: String) -> URL {
    servers += 1
    return base.appending(path: "\(name)-\(servers)")
  }

  /// Serves `source` but for one file, whose callers are held as long as `hold` is open.
  package func serve(
    holding path: String, at hold: LoopbackListener, listing: NginxServer.Listing? = nil
  ) throws -> NginxServer {
    try serve(
      nil,
      NginxServer.Options(
        listing: listing, locations: [NginxServer.Options.holding(path, at: hold)]))
  }

  /// Serves `source` with directory listings.
  package func serve(listing: NginxServer.Listing) throws -> NginxServer {
    try serve(nil, NginxServer.Options(listing: listing))
  }

  /// Serves `source` by another server than nginx, which lists its directories.
  package func serve(
    by kind: ListingServer.Kind, asking passwords: ListingServer.Passwords? = nil
  ) throws -> ListingServer {
    let lister = try ListingServer(
      kind, root: source, state: newState("lister"), asking: passwords)
    atEnd { lister.stop() }
    return lister
  }

  /// Starts `mirror` and doesn't wait for it.
  package func start(
    _ arguments: [String], program: String? = nil, environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let child = try ChildProcess(
      program ?? Programs.mirror, arguments,
      environment: self.environment.merging(environment) { $1 },
      directory: base, records: base.appending(path: "records"))
    atEnd { child.send(SIGKILL) }
    return child
  }

  /// Runs `mirror` to its end.
  @discardableResult
  package func mirror(
    _ arguments: String..., environment: [String: String] = [:],
    within limit: Duration = .seconds(60)
  ) throws -> ProgramOutcome {
    try mirror(arguments, environment: environment, within: limit)
  }

  @discardableResult
  package func mirror(
    _ arguments: [String], environment: [String: String] = [:],
    within limit: Duration = .seconds(60)
  ) throws -> ProgramOutcome {
    try start(arguments, environment: environment).outcome(within: limit)
  }

  /// Runs `mirror sync` to its end.
  @discardableResult
  package func sync(
    _ catalog: String, _ options: [String] = [], within limit: Duration = .seconds(60)
  ) throws -> ProgramOutcome {
    try mirror(["sync", catalog, copy.path] + options, within: limit)
  }

  /// The test's own environment without what would lead `mirror` elsewhere.
  private var environment: [String: String] {
    ProcessInfo.processInfo.environment
      .filter { !$0.key.lowercased().hasSuffix("_proxy") }
      .merging(["HOME": base.appending(path: "home").path]) { $1 }
  }
}
