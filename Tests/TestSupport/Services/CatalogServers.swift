package import Foundation

/// Servers of buckets and collections, as others have written them.
package enum CatalogServers {
  /// An S3 server (moto's), which holds signatures against botocore's; see `serve-bucket.py`.
  ///
  /// - Parameter folder: for what it writes.
  package static func bucket(
    key: String, secret: String, in folder: URL
  ) throws -> LoopbackService {
    try LoopbackService(try python(), "serve-bucket.py", [key, secret], in: folder)
  }

  /// A WebDAV server, `wsgidav` or `radicale`, for a folder.
  ///
  /// - Parameter folder: for what it writes beside.
  package static func webDAV(
    _ name: String, of shared: URL, in folder: URL
  ) throws -> LoopbackService {
    try LoopbackService(try python(), "serve-webdav.py", [name, shared.path], in: folder)
  }

  private static func python() throws -> String {
    let named = ProcessInfo.processInfo.environment["MIRROR_CATALOGS_PYTHON"]
    let path = named ?? Programs.package.appending(path: ".build/catalogs/bin/python3").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Programs.Missing(name: "moto, wsgidav and Radicale", detail: "Tests/run installs them.")
    }
    return path
  }
}
