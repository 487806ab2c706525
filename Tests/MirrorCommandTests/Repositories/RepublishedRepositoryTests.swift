import Foundation
import SyncLock
import SyncText
import TestSupport
import XCTest

/// A Debian repository that is mirrored while it is published anew all the time, without a word of
/// what comes last: the copy is a repository at every moment.
final class RepublishedRepositoryTests: MirrorTestCase {
  private struct Seen {
    var looks = 0
    var missing: Set<String> = []
    var lists: Set<Data> = []
    var isOver = false
  }

  private static let list = "dists/stable/main/binary-amd64/Packages"

  func testTheCopysListsNeverNameAFileThatIsNotThereAndAreThoseOfItsRelease() throws {
    let archive = try DebianArchive(at: source, workshop: base)
    let packages = try archive.build((0..<6).map { ("thing-\($0)", "amd64") })
    var manner = DebianArchive.Manner()
    (manner.isPacked, manner.namesByDigest, manner.architectures) = (false, true, ["amd64"])
    try archive.publish(packages, manner)
    let address = try serve().url + DebianArchive.suite + "Release"
    let options = ["--max-delete", "all", "--durability", "none", "--retries", "0"]
    assertEnd(try sync(address, options), 0)
    let (seen, others) = (Locked(Seen()), DispatchGroup())
    DispatchQueue.global().async(group: others) { [copy] in Self.watch(copy, seen) }
    DispatchQueue.global().async(group: others) { [manner] in
      var random = SeededGenerator(seed: 18)
      while !seen.withLock({ $0.isOver }) {
        try? archive.publish(packages.filter { _ in random.oneIn(2) }, manner)
        usleep(UInt32.random(in: 20_000..<250_000, using: &random))
      }
    }
    var ends: [ChildProcess.End: Int] = [:]
    for _ in 0..<25 {
      let end = try sync(address, options).end
      ends[end, default: 0] += 1
      try assertListsAreThoseOfTheRelease("\(end)")
    }
    seen.withLock { $0.isOver = true }
    XCTAssertEqual(others.wait(timeout: .now() + 60), .success)
    assertEnd(try sync(address, options), 0)
    let hashed = try files(in: source).keys.filter { $0.contains("by-hash") }
    try assertCopyIsTrue(except: Set(hashed))
    let all = seen.withLock { $0 }
    XCTAssertEqual(all.missing, [])
    XCTAssertGreaterThan(all.looks, 25, "hardly anybody looked")
    XCTAssertGreaterThan(all.lists.count, 2, "the copy hardly followed: \(ends)")
    XCTAssertEqual(Set(ends.keys).subtracting([0, 1, 2].map { .exited($0) }), [], "\(ends)")
  }

  private func assertListsAreThoseOfTheRelease(_ place: String, line: UInt = #line) throws {
    let release = try String(
      contentsOf: copy.appending(path: "dists/stable/Release"), encoding: .utf8)
    let list = try Data(contentsOf: copy.appending(path: Self.list))
    XCTAssert(release.contains("\(SHA256Digest(of: list))"), "mixed after \(place)", line: line)
  }

  private static func watch(_ copy: URL, _ seen: Locked<Seen>) {
    while !seen.withLock({ $0.isOver }) {
      guard let before = try? Data(contentsOf: copy.appending(path: list)) else { continue }
      let named = String(decoding: before, as: UTF8.self).matches(of: /Filename: (\S+)/)
        .map { String($0.1) }
      let missing = named.filter {
        !FileManager.default.fileExists(atPath: copy.appending(path: $0).path)
      }
      let isSteady = (try? Data(contentsOf: copy.appending(path: list))) == before
      seen.withLock { seen in
        seen.looks += 1
        seen.lists.insert(before)
        if isSteady { seen.missing.formUnion(missing) }
      }
    }
  }
}
