package import Foundation

/// Django REST framework, which serves the rows of `Tests/Services/serve-drf.py`.
package enum DjangoService {
  /// Starts one for whoever has the token.
  ///
  /// - Parameter folder: for what it writes.
  package static func start(token: String, in folder: URL) throws -> LoopbackService {
    let named = ProcessInfo.processInfo.environment["MIRROR_DRF_PYTHON"]
    let path = named ?? Programs.package.appending(path: ".build/drf/bin/python3").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Programs.Missing(
        name: "Django REST framework",
        detail: "Tests/run installs it; run that, or Tests/run --services, first.")
    }
    return try LoopbackService(path, "serve-drf.py", [token], in: folder)
  }
}
