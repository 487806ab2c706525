package import Foundation
package import XCTest

// What tests do to the disk; with a path or an address.

/// Makes a folder, and those above it.
package func makeFolder(at path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

package func makeFolder(at place: URL) throws { try makeFolder(at: place.path) }

/// Makes a symbolic link.
package func makeLink(at path: String, to target: String) throws {
  try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
}

package func makeLink(at place: URL, to target: URL) throws {
  try makeLink(at: place.path, to: target.path)
}

/// Says when a file was changed last.
package func setDate(_ date: Date, of path: String) throws {
  try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
}

package func setDate(_ date: Date, of file: URL) throws { try setDate(date, of: file.path) }

/// What a file says.
package func readText(_ path: String) throws -> String { try readText(URL(filePath: path)) }

package func readText(_ file: URL) throws -> String {
  String(decoding: try Data(contentsOf: file), as: UTF8.self)
}

/// Whether something is there; of a link, what it leads to.
package func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

package func isThere(_ place: URL) -> Bool { isThere(place.path) }

extension XCTestCase {
  /// A folder of the test's own, which goes when the test ends.
  package func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
    return folder
  }
}
