import Foundation

/// The inputs that are kept in the repository, a folder for each target.
enum Corpus {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus")

  /// A target's inputs, by name.
  static func inputs(of target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = folder.appending(path: target)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, Array(try Data(contentsOf: folder.appending(path: name))))
    }
  }
}
