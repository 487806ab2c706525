import Foundation
public import XCTest

/// A test with a `source` folder, a server for it, and a `copy` that `mirror` keeps.
open class MirrorTestCase: XCTestCase {
  package private(set) var base = URL(filePath: "/")
  private var servers: [NginxServer] = []
  private var listers: [ListingServer] = []
  private var children: [ChildProcess] = []

  package var source: URL { base.appending(path: "source") }
  package var copy: URL { base.appending(path: "copy") }

  /// A day long gone, so that no file is as young as the listing that shows it.
  package static let longAgo = Date(timeIntervalSince1970: 1_500_000_000)

  open override func setUpWithError() throws {
    let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    base = temporary.appending(path: "mirror-\(UUID().uuidString)")
    for name in ["source", "records", "home"] {
      try FileManager.default.createDirectory(
        at: base.appending(path: name), withIntermediateDirectories: true)
    }
  }

  open override func tearDownWithError() throws {
    for child in children { child.send(SIGKILL) }
    for server in servers { try server.stop() }
    for lister in listers { lister.stop() }
    try FileManager.default.removeItem(at: base)
  }

  /// Serves `source`, or another folder.
  package func serve(
    _ root: URL? = nil, _ options: NginxServer.Options = NginxServer.Options()
  ) throws -> NginxServer {
    let server = try NginxServer(
      root: root ?? source, state: base.appending(path: "nginx-\(servers.count)"),
      options: options)
    servers.append(server)
    return server
  }

  /// Serves `source` with directory listings.
  package func serve(listing: NginxServer.Listing) throws -> NginxServer {
    try serve(nil, NginxServer.Options(listing: listing))
  }

  /// Serves `source` by another server than nginx, which lists its directories.
  package func serve(by kind: ListingServer.Kind) throws -> ListingServer {
    let state = base.appending(path: "lister-\(listers.count)")
    let lister = try ListingServer(kind, root: source, state: state)
    listers.append(lister)
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
    children.append(child)
    return child
  }

  /// Runs `mirror` to its end.
  @discardableResult
  package func mirror(
    _ arguments: String..., environment: [String: String] = [:],
    within limit: Duration = .seconds(60)
  ) throws -> Outcome {
    let child = try start(arguments, environment: environment)
    return Outcome(end: try child.end(within: limit), printed: child.printed, said: child.said)
  }

  /// Runs `mirror sync` to its end.
  @discardableResult
  package func sync(
    _ catalog: String, _ options: [String] = [], within limit: Duration = .seconds(60)
  ) throws -> Outcome {
    let child = try start(["sync", catalog, copy.path] + options)
    return Outcome(end: try child.end(within: limit), printed: child.printed, said: child.said)
  }

  /// What a run of `mirror` came to.
  package struct Outcome: CustomStringConvertible {
    package var end: ChildProcess.End
    package var printed: String
    package var said: String

    /// How it ended, and what it wrote to standard output and standard error.
    package init(end: ChildProcess.End, printed: String, said: String) {
      (self.end, self.printed, self.said) = (end, printed, said)
    }

    /// A line for each item that failed, from what a run with `--json` printed: people are told of
    /// the first ones only.
    package var failureLines: [String] {
      printed.split(separator: "\n").compactMap { line in
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let object, object["event"] as? String == "failed",
          let key = object["key"] as? String, let error = object["error"] as? String
        else { return nil }
        return "mirror: \(key): \(error)"
      }
    }

    package var description: String { "\(end)\n--- printed\n\(printed)\n--- said\n\(said)" }
  }

  /// The test's own environment without what would lead `mirror` elsewhere.
  private var environment: [String: String] {
    ProcessInfo.processInfo.environment
      .filter { !$0.key.lowercased().hasSuffix("_proxy") }
      .merging(["HOME": base.appending(path: "home").path]) { $1 }
  }
}
