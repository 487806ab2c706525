import Foundation
import TestSupport

@testable import CatalogMirror
@testable import SyncText

/// A catalog of many items that all have the same bytes, at one address.
struct LargeCatalog {
  static let name = "catalog.ndjson"
  let count: Int
  let bytes: Data
  /// How many items lie in one directory.
  var directorySize = 1_000

  /// The key of an item.
  func key(_ number: Int) -> String { "d\(number / directorySize)/\(number)" }

  /// Writes the catalog and the one file to a folder that is served.
  func write(to folder: URL) throws {
    try bytes.write(to: folder.appending(path: "blob"))
    let file = folder.appending(path: Self.name)
    try Data("{\"catalog\":1,\"complete\":true}\n".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    let digest = SHA256Digest(ofAll: bytes).description
    for start in stride(from: 0, to: count, by: 10_000) {
      var lines = ""
      for number in start..<min(start + 10_000, count) {
        lines += "{\"key\":\"\(key(number))\",\"url\":\"blob\",\"size\":\(bytes.count)"
        lines += ",\"sha256\":\"\(digest)\"}\n"
      }
      try handle.write(contentsOf: Data(lines.utf8))
    }
    try handle.close()
  }

  /// Makes all of its items in a folder, so that nothing has to be fetched.
  func place(in folder: URL) throws {
    for number in 0..<count {
      let path = folder.appending(path: key(number)).path
      if number % directorySize == 0 {
        try makeFolder(at: (path as NSString).deletingLastPathComponent)
      }
      let file = open(path, O_WRONLY | O_CREAT, 0o644)
      guard file >= 0 else { throw POSIXError(.EIO) }
      _ = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      close(file)
    }
  }
}
