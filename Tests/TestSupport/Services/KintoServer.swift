package import Foundation

/// A real Kinto, which keeps everything in memory: with accounts, history, attachments and
/// `__flush__`.
package final class KintoServer: @unchecked Sendable {  // only its tests, one by one, stop it
  private let service: LoopbackService
  /// Where it has the contents of attachments.
  package let attachments: URL

  /// Starts one, with settings other than the usual ones.
  ///
  /// - Parameter folder: for what it writes.
  package init(in folder: URL, settings: [String: String] = [:]) throws {
    attachments = folder.appending(path: "attachments")
    service = try LoopbackService(
      try Self.python(), "serve-kinto.py",
      settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }, in: folder)
  }

  /// Where it is, without a closing slash and a version.
  package var address: String { service.address }

  /// Starts it again, after ``stop()``, without what it had; callers of meanwhile are answered.
  package func start() throws { try service.start() }

  /// Kills it, whatever it is at.
  package func stop() throws { try service.stop() }

  private static func python() throws -> String {
    let named = ProcessInfo.processInfo.environment["MIRROR_KINTO_PYTHON"]
    let path = named ?? Programs.package.appending(path: ".build/kinto/bin/python3").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Programs.Missing(
        name: "Kinto", detail: "Tests/run installs it; run that, or Tests/run --services, first.")
    }
    return path
  }
}
