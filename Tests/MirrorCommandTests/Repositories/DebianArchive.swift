import Foundation
import SyncLock
import SyncText
import TestSupport
import XCTest

/// A Debian archive of small packages, made with dpkg-deb and dpkg-scanpackages, and signed by gpg
/// with keys of the test's own.
final class DebianArchive: Sendable {
  /// A package that was built once and never changes.
  struct Package: Sendable {
    /// Its path in the archive.
    var path: String
    var architecture: String
    var bytes: Data
    /// What a list says of it.
    var stanza: String
  }

  /// How it is published.
  struct Manner: Sendable {
    var architectures = ["amd64", "arm64"]
    /// Whether lists are packed; the plain ones are then listed and not there, as Debian has it.
    var isPacked = true
    var namesByDigest = false
    /// Whose key signs it; nobody's for `nil`.
    var signer: String?
    /// Whether the signature stands beside the text.
    var signsBeside = false
    /// When it was made.
    var date = Date()
    /// Until when it may be taken.
    var validUntil: Date?
  }

  static let suite = "dists/stable/"
  let root: URL
  private let workshop: URL
  /// How many files were published.
  private let puts = Locked(0)

  init(at root: URL, workshop: URL) throws {
    (self.root, self.workshop) = (root, workshop.appending(path: "archive"))
    try FileManager.default.createDirectory(
      at: self.workshop.appending(path: "gnupg"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  /// Runs a program in the workshop, and gives what it printed.
  @discardableResult
  func run(_ program: String, _ arguments: String...) throws -> String {
    let child = try ChildProcess(
      try Programs.find(program), arguments,
      environment: [
        "PATH": "/usr/bin:/bin", "GNUPGHOME": workshop.appending(path: "gnupg").path,
      ], directory: workshop, records: workshop)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    return child.printed
  }

  /// Makes a key; gives the file with its public half.
  func makeKey(_ name: String) throws -> URL {
    try run(
      "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "\(name)@example.org",
      "ed25519", "sign", "never")
    return try export(name)
  }

  /// Makes a key whose two days are over since 2020; gives the file with its public half.
  func makeExpiredKey(_ name: String) throws -> URL {
    try run(
      "gpg", "--batch", "--quiet", "--passphrase", "", "--faked-system-time", "20200101T000000!",
      "--quick-gen-key", "\(name)@example.org", "ed25519", "sign", "2d")
    return try export(name)
  }

  /// Revokes a key by the certificate that was made with it; gives the file with its public half.
  func revoke(_ name: String) throws -> URL {
    let listed = try run("gpg", "--list-keys", "--with-colons", "\(name)@example.org")
    let fingerprint = try XCTUnwrap(
      listed.split(separator: "\n").first { $0.hasPrefix("fpr") }?.split(separator: ":").last)
    let certificate = workshop.appending(path: "gnupg/openpgp-revocs.d/\(fingerprint).rev")
    let text = try readText(certificate)
    try Data(text.replacing("\n:-----", with: "\n-----").utf8).write(to: certificate)
    try run("gpg", "--batch", "--quiet", "--import", certificate.path)
    return try export(name)
  }

  private func export(_ name: String) throws -> URL {
    let file = workshop.appending(path: "\(name).gpg")
    try run("gpg", "--batch", "--yes", "--output", file.path, "--export", "\(name)@example.org")
    return file
  }

  /// Ends gpg's agent, which outlives whoever started it.
  func close() throws { try run("gpgconf", "--kill", "gpg-agent") }

  /// Builds packages of these names, versions and architectures.
  func build(_ wanted: [(name: String, architecture: String)]) throws -> [Package] {
    let pool = workshop.appending(path: "pool/main")
    try makeFolder(at: pool)
    for (name, architecture) in wanted {
      let control = """
        Package: \(name)
        Version: 1.0
        Architecture: \(architecture)
        Maintainer: Nobody <nobody@example.org>
        Description: the package \(name)
         of \(architecture)

        """
      let tree = workshop.appending(path: "\(name)-\(architecture)")
      try makeFolder(at: tree.appending(path: "DEBIAN"))
      try Data(control.utf8).write(to: tree.appending(path: "DEBIAN/control"))
      let file = pool.appending(path: "\(name)_1.0_\(architecture).deb")
      try run("dpkg-deb", "--build", "-Znone", tree.path, file.path)
    }
    let scanned = try run("dpkg-scanpackages", "--multiversion", "pool")
    return try scanned.split(separator: "\n\n").map { stanza in
      let fields = stanza.split(separator: "\n").map(String.init)
      let value = { (name: String) in
        try XCTUnwrap(fields.first { $0.hasPrefix(name + ": ") }).dropFirst(name.count + 2)
      }
      let path = String(try value("Filename"))
      return Package(
        path: path, architecture: String(try value("Architecture")),
        bytes: try Data(contentsOf: workshop.appending(path: path)), stanza: stanza + "\n")
    }
  }

  /// Publishes these packages, as who takes care does: what is new comes into the pool, then the
  /// lists and what names them, then what is no longer named leaves the pool.
  func publish(_ packages: [Package], _ manner: Manner = Manner()) throws {
    for package in packages { try put(package.bytes, at: package.path) }
    var sums: [String] = []
    for architecture in manner.architectures {
      let text = packages.filter { ["all", architecture].contains($0.architecture) }
        .map(\.stanza).joined(separator: "\n")
      sums += try publishList(text, "main/binary-\(architecture)/Packages", manner)
    }
    try publishRelease(sums, at: Self.suite, manner)
    let named = Set(packages.map(\.path))
    let pool = root.appending(path: "pool")
    for path in (try? FileManager.default.subpathsOfDirectory(atPath: pool.path)) ?? []
    where path.hasSuffix(".deb") && !named.contains("pool/" + path) {
      try FileManager.default.removeItem(at: pool.appending(path: path))
    }
  }

  /// Publishes a flat repository: everything in one directory.
  func publishFlat(_ packages: [Package], _ manner: Manner = Manner()) throws {
    for package in packages { try put(package.bytes, at: package.path) }
    let text = packages.map { $0.stanza.replacing("Filename: ", with: "Filename: ./") }
    try put(Data(text.joined(separator: "\n").utf8), at: "Packages")
    let sum = Self.sum(Data(text.joined(separator: "\n").utf8), "Packages")
    try publishRelease([sum], at: "", manner)
  }

  private func publishList(_ text: String, _ path: String, _ manner: Manner) throws -> [String] {
    let plain = Data(text.utf8)
    guard manner.isPacked else {
      try putList(plain, path, manner)
      return [Self.sum(plain, path)]
    }
    let draft = workshop.appending(path: "draft")
    try plain.write(to: draft)
    try run("gzip", "--force", "--no-name", draft.path)
    let packed = try Data(contentsOf: draft.appendingPathExtension("gz"))
    try putList(packed, path + ".gz", manner)
    return [Self.sum(plain, path), Self.sum(packed, path + ".gz")]
  }

  private func putList(_ bytes: Data, _ path: String, _ manner: Manner) throws {
    if manner.namesByDigest {
      let directory = (path as NSString).deletingLastPathComponent
      try put(
        bytes, at: Self.suite + directory + "/by-hash/SHA256/\(SHA256Digest(of: bytes))")
    }
    try put(bytes, at: Self.suite + path)
  }

  private func publishRelease(_ sums: [String], at place: String, _ manner: Manner) throws {
    let lines =
      ["Suite: stable", "Date: \(Self.text(manner.date))"]
      + (manner.validUntil.map { ["Valid-Until: \(Self.text($0))"] } ?? [])
      + (manner.namesByDigest ? ["Acquire-By-Hash: yes"] : []) + ["SHA256:"] + sums
    let text = Data((lines.joined(separator: "\n") + "\n").utf8)
    guard let signer = manner.signer else {
      return try put(text, at: place + "Release")
    }
    let (draft, signed) = (workshop.appending(path: "Release"), workshop.appending(path: "signed"))
    try text.write(to: draft)
    try run(
      "gpg", "--batch", "--yes", "--local-user", "\(signer)@example.org", "--output", signed.path,
      manner.signsBeside ? "--detach-sign" : "--clear-sign", draft.path)
    if manner.signsBeside { try put(text, at: place + "Release") }
    try put(
      Data(contentsOf: signed), at: place + (manner.signsBeside ? "Release.gpg" : "InRelease"))
  }

  private static func text(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'UTC'"
    return format.string(from: date)
  }

  private static func sum(_ bytes: Data, _ path: String) -> String {
    " \(SHA256Digest(of: bytes)) \(bytes.count) \(path)"
  }

  private func put(_ bytes: Data, at path: String) throws {
    let file = root.appending(path: path)
    if (try? Data(contentsOf: file)) == bytes { return }
    try makeFolder(at: file.deletingLastPathComponent())
    let draft = root.appending(path: "draft-\(UUID().uuidString)")
    try bytes.write(to: draft)
    // Each state of a file has a date of its own, since the server's tag is made of date and size.
    let number = puts.withLock { puts in
      puts += 1
      return puts
    }
    try setDate(MirrorTestCase.longAgo.addingTimeInterval(Double(number)), of: draft)
    XCTAssertEqual(rename(draft.path, file.path), 0)
  }
}

extension MirrorTestCase {
  /// Asserts that the copy is the source, but for the names of digests: a source keeps those of
  /// earlier states as it likes. Each of the copy's is that of its bytes, and none is missing.
  func assertCopyIsTrueButForDigests(file: StaticString = #filePath, line: UInt = #line) throws {
    let isNamedByDigest = { (path: String) in path.contains("/by-hash/") }
    let there = try files(in: source).filter { !isNamedByDigest($0.key) }
    let (hashed, found) = (
      try files(in: copy).filter { isNamedByDigest($0.key) },
      try files(in: copy).filter { !isNamedByDigest($0.key) }
    )
    XCTAssertEqual(found.keys.sorted(), there.keys.sorted(), file: file, line: line)
    for (path, bytes) in there {
      XCTAssertEqual(found[path], bytes, "\(path) has other bytes", file: file, line: line)
    }
    for (path, bytes) in hashed {
      XCTAssert(path.hasSuffix("/SHA256/\(SHA256Digest(of: bytes))"), path, file: file, line: line)
    }
    let release = try readText(copy.appending(path: DebianArchive.suite + "Release"))
    guard release.contains("Acquire-By-Hash: yes") else {
      return XCTAssertEqual(hashed, [:], file: file, line: line)
    }
    for (path, bytes) in found where (path as NSString).lastPathComponent.hasPrefix("Packages") {
      let name =
        (path as NSString).deletingLastPathComponent + "/by-hash/SHA256/\(SHA256Digest(of: bytes))"
      XCTAssertEqual(hashed[name], bytes, name, file: file, line: line)
    }
  }
}
