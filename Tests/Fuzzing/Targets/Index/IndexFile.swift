import Foundation

/// The one file of this process that damaged indexes are written to.
struct IndexFile: Sendable {
  static let shared = IndexFile()
  private let folder: URL

  private init() {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "fuzzed-index-\(ProcessInfo.processInfo.processIdentifier)")
  }

  /// Hands out the path of a file with these bytes, alone in its folder, and removes both.
  func withBytes(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "index.sqlite")
    try Data(bytes).write(to: file)
    try body(file.path)
  }

  /// The bytes of the file that `body` makes at a path.
  func bytes(after body: (String) throws -> Void) throws -> [UInt8] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "index.sqlite")
    try body(file.path)
    return Array(try Data(contentsOf: file))
  }
}
