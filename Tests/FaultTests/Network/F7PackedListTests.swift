import Foundation
import TestSupport
import XCTest

@testable import SyncText

/// F7, F27: what is hostile in a packed list of a Debian repository: its length, its digest, what
/// it unpacks to, and the memory that it asks for.
final class F7PackedListTests: FaultTestCase {
  /// A suite of one list of one package: what its `Release` says of the list, and what comes.
  private struct Suite {
    static let directory = "/dists/stable/"
    static let package = Array("alpha".utf8)
    static let list = Array(
      """
      Package: a
      Filename: pool/a.deb
      Size: \(package.count)
      SHA256: \(SHA256Digest(of: package))

      """.utf8)
    /// Another list, of the same length in each form.
    static let other = list.map { $0 == UInt8(ascii: "P") ? UInt8(ascii: "Q") : $0 }

    /// The ending of the list's name, with its dot.
    var ending: String
    var named: [UInt8]
    /// What the `Release` says of its size; `nil` for what it is.
    var statedSize: Int?
    var label = "next"

    var path: String { Self.directory + "main/binary-amd64/Packages" + ending }

    /// What an honest server answers.
    var script: FaultServer.Script { script { .honest(named, to: $0) } }

    /// What a server answers that is honest but for the list.
    func script(
      list: @escaping @Sendable (RawRequest) -> FaultAnswer
    ) -> FaultServer.Script {
      let size = statedSize ?? named.count
      let row = "\(SHA256Digest(of: named)) \(size) main/binary-amd64/Packages\(ending)"
      let release = Array("Suite: stable\nLabel: \(label)\nSHA256:\n \(row)\n".utf8)
      return { request, _ in
        switch request.path {
        case Self.directory + "Release": .honest(release, to: request)
        case "/pool/a.deb": .honest(Self.package, to: request)
        case path where request.method == "HEAD":
          FaultAnswer([.bytes(FaultAnswer.head(framing: .length, length: named.count))])
        case path: list(request)
        default: FaultAnswer(status: 404)
        }
      }
    }
  }

  private static let options = ["--format", "debian", "--retries", "0"]

  private func xz(_ options: String..., of bytes: [UInt8]) throws -> [UInt8] {
    let plain = base.appending(path: "plain")
    try Data(bytes).write(to: plain)
    let child = try start(
      ["--keep", "--force"] + options + [plain.path], program: Programs.find("xz"))
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    return Array(try Data(contentsOf: plain.appendingPathExtension("xz")))
  }

  /// Mirrors an honest suite, and then one that is hostile: that is an error that says so, changes
  /// nothing and takes little memory.
  ///
  /// - Returns: the requests for the list.
  @discardableResult private func assertRefused(
    _ claim: String, _ suite: Suite, saying words: String...,
    body: (@Sendable (RawRequest) -> FaultAnswer)? = nil, line: UInt = #line
  ) throws -> [RawRequest] {
    let list = try packed(Suite.list, suite.ending)
    let honest = Suite(ending: suite.ending, named: list, label: "first")
    let server = try serveFaults(honest.script)
    let address = Suite.directory
    assertEnd(try sync(server, address, Self.options), 0, line: line)
    let before = try tree()
    server.follow(body.map { suite.script(list: $0) } ?? suite.script)
    _ = server.takeRequests()
    let outcome = try sync(
      server, address, Self.options + ["--max-catalog-size", "32M"], memory: 1 << 30,
      within: .seconds(120))
    try assertLeftAlone(outcome, saying: words, before, claim, line: line)
    let asked = server.takeRequests().filter { $0.path == suite.path && $0.method == "GET" }
    server.follow(honest.script)
    assertEnd(try sync(server, address, Self.options), 0, line: line)
    try assertTree(is: before, claim, line: line)
    try FileManager.default.removeItem(at: copy)
    return asked
  }

  private func packed(_ bytes: [UInt8], _ ending: String) throws -> [UInt8] {
    switch ending {
    case ".gz": try gzip(bytes)
    case ".xz": try xz(of: bytes)
    default: bytes
    }
  }

  /// Empty members unpack to nothing, so that only what is sent can be counted. The `Release` is
  /// read again once, as where the suite is being published, and past the caches.
  func testF7_aListOfAnotherSizeOrDigestThanTheReleaseSaysIsCutThereAndRefused() throws {
    for ending in ["", ".gz", ".xz"] {
      let suite = Suite(ending: ending, named: try packed(Suite.list, ending))
      let (whole, empty) = (suite.named, try packed([], ending))
      let piece = ending.isEmpty ? [10] : empty
      let pieces = Array(repeatElement(piece, count: 1 + 65_536 / piece.count).joined())
      let other = try packed(Suite.other, ending)
      XCTAssertEqual(other.count, whole.count)
      let bodies: [(String, String, FaultAnswer)] = [
        (
          "without an end", "size",
          FaultAnswer([
            .bytes(FaultAnswer.head(framing: .close) + whole), .repeated(pieces, times: 10 << 10),
          ])
        ),
        ("longer", "size", FaultAnswer(whole + piece)),
        ("shorter", "size", FaultAnswer(Array(whole.dropLast()))),
        ("with another digest", "digest", FaultAnswer(other)),
      ]
      for (claim, word, body) in bodies {
        let asked = try assertRefused(
          "\(ending) \(claim)", suite, saying: "Packages\(ending) has another \(word) than",
          body: { _ in body })
        XCTAssertEqual(
          asked.map { $0["Cache-Control"] }, [nil, "no-cache"], "\(ending) \(claim)")
      }
    }
    try Extent.record(
      "F7", "lists of a Debian repository of another size or digest than its Release says",
      count: 12, "cut at that size, read again once past the caches, an error; nothing changed")
  }

  /// The size and the digest are as the `Release` says: whoever writes it is who is hostile.
  func testF7_whatAHostileListUnpacksToEndsAtTheLimit() throws {
    let zeros = [UInt8](repeating: 0, count: 64 << 20)
    let lines = Array(String(repeating: "Package: a\nVersion: 1\n\n", count: 2 << 20).utf8)
    for ending in [".gz", ".xz"] {
      try assertRefused(
        "zeros in \(ending)", Suite(ending: ending, named: try packed(zeros, ending)),
        saying: "limit of 1.0 MiB in one value, name, text or line",
        "mend it at the source or tell who runs it")
      try assertRefused(
        "lines in \(ending)", Suite(ending: ending, named: try packed(lines, ending)),
        saying: "limit of 32.0 MiB", "--max-catalog-size")
    }
    try Extent.record(
      "F7", "lists of a Debian repository that unpack to more than is allowed", count: 4,
      "an error at the limit, nothing changed")
  }

  /// Whatever size a hostile `Release` gives, what comes counts for the limit as well.
  func testF7_aListThatUnpacksToNothingAndNeverEndsIsCutAtTheLimit() throws {
    let members = Array(repeatElement(try gzip([]), count: 4 << 10).joined())
    var suite = Suite(ending: ".gz", named: members)
    suite.statedSize = 1 << 50
    try assertRefused("empty members", suite, saying: "limit of 32.0 MiB") { _ in
      FaultAnswer([
        .bytes(FaultAnswer.head(framing: .close)), .repeated(members, times: 100 << 10),
      ])
    }
  }

  /// A file may ask for a window of four gigabytes in its first bytes.
  func testF27_aListThatTakesTooMuchMemoryToUnpackIsRefused() throws {
    let suite = Suite(ending: ".xz", named: try xz("--lzma2=dict=1536MiB", of: Suite.list))
    try assertRefused(
      "a window of 1.5 GiB", suite, saying: "Packages.xz goes past the limit of 80.0 MiB of memory",
      "mend it at the source or tell who runs it")
    let large = Suite(ending: ".xz", named: try xz("-9", of: Suite.list))
    let server = try serveFaults(large.script)
    let use = try ProcessUse.watch(
      start(["sync", server.url(Suite.directory), copy.path] + Self.options), within: .seconds(60))
    XCTAssertLessThan(use.peakMemory, 200 << 20)
    try Extent.record(
      "F27", "a list in xz with a window of 1.5 GiB", count: 1,
      "an error; what the highest level of xz takes is given")
  }
}
