import Foundation
import SyncText
import TestSupport

/// A suite of a Debian repository, of which each file is said: which there are, which are only
/// named, which are named by their digests as well.
struct SuiteOfFiles {
  static let path = "dists/stable/"
  let root: URL
  /// By path, as seen from the suite.
  var files: [String: Data] = [:]
  /// What the `Release` names, and isn't there.
  var absent: [String: Data] = [:]
  var namesByDigest = false

  init(at root: URL) {
    self.root = root
  }

  /// A list of packages, each of them a file whose bytes are its name.
  static func list(_ packages: [String]) -> Data {
    let stanzas = packages.map { name in
      """
      Package: \(name)
      Filename: pool/\(name).deb
      Size: \(name.utf8.count)
      SHA256: \(SHA256Digest(of: name.utf8))

      """
    }
    return Data(stanzas.joined(separator: "\n").utf8)
  }

  /// Packs bytes by a program.
  static func packed(_ bytes: Data, by program: String, in folder: URL) throws -> Data {
    let file = folder.appending(path: "unpacked")
    try bytes.write(to: file)
    let child = try ChildProcess(
      try Programs.find(program), ["--keep", "--force", "--suffix", ".packed", file.path],
      environment: [:], directory: folder, records: folder)
    _ = try child.end(within: .seconds(60))
    return try Data(contentsOf: file.appendingPathExtension("packed"))
  }

  /// Writes all of it, with the packages; the `Release` last. A date of this very second would prove
  /// nothing to a later request.
  func publish(
    _ packages: [String], at date: Date = Date(timeIntervalSinceNow: -100)
  ) throws {
    for name in packages { try write(Data(name.utf8), "pool/\(name).deb", date) }
    for (path, bytes) in files {
      try write(bytes, Self.path + path, date)
      guard namesByDigest else { continue }
      for name in Self.names(of: bytes) {
        let directory = (path as NSString).deletingLastPathComponent
        try write(bytes, Self.path + "\(directory)/by-hash/\(name)", date)
      }
    }
    let all = files.merging(absent) { $1 }.sorted { $0.key < $1.key }
    func rows(_ kind: Int) -> String {
      all.map { path, bytes in
        let digest = Self.names(of: bytes)[kind].split(separator: "/")[1]
        return " \(digest) \(bytes.count) \(path)\n"
      }.joined()
    }
    let head = "Suite: stable\n" + (namesByDigest ? "Acquire-By-Hash: yes\n" : "")
    let text = head + "SHA256:\n" + rows(0) + "SHA512:\n" + rows(1)
    try write(Data(text.utf8), Self.path + "Release", date)
  }

  /// The names of bytes below `by-hash`, the weaker digest first.
  static func names(of bytes: Data) -> [String] {
    let longer = ContentDigest(.sha512, of: Array(bytes)).map { "\($0)" } ?? ""
    let digits = longer.split(separator: ":").last.map(String.init) ?? longer
    return ["SHA256/\(SHA256Digest(of: bytes))", "SHA512/\(digits)"]
  }

  private func write(_ bytes: Data, _ path: String, _ date: Date) throws {
    let file = root.appending(path: path)
    try makeFolder(at: file.deletingLastPathComponent())
    try bytes.write(to: file, options: .atomic)
    try setDate(date, of: file)
  }
}
