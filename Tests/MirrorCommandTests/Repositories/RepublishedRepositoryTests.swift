import Foundation
import SyncLock
import SyncText
import TestSupport
import XCTest

/// A Debian repository that is mirrored while it is published anew, without a word of what comes
/// last: the copy is a repository at every moment.
///
/// Of two runs, one is made while nothing is published, and somebody has looked at the copy before
/// the next one begins: how much was seen isn't left to how fast who is served.
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
    let (seen, watcher, others) = (Locked(Seen()), DispatchGroup(), DispatchGroup())
    DispatchQueue.global().async(group: watcher) { [copy] in Self.watch(copy, seen) }
    var ends: [ChildProcess.End: Int] = [:]
    for number in 0..<24 {
      let isPublished = number.isMultiple(of: 2)
      if isPublished {
        DispatchQueue.global().async(group: others) { [manner] in
          var random = SeededGenerator(seed: 18 &+ UInt64(number))
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            try? archive.publish(packages.filter { _ in random.oneIn(2) }, manner)
            usleep(UInt32.random(in: 0..<100_000, using: &random))
          }
        }
      }
      let end = try sync(address, options).end
      ends[end, default: 0] += 1
      try assertListsAreThoseOfTheRelease("\(end)")
      others.wait()
      guard !isPublished else { continue }
      let looks = seen.withLock { $0.looks }
      try waitUntil("somebody looks") { seen.withLock { $0.looks > looks + 1 } }
    }
    seen.withLock { $0.isOver = true }
    watcher.wait()
    assertEnd(try sync(address, options), 0)
    try assertCopyIsTrueButForDigests()
    let all = seen.withLock { $0 }
    XCTAssertEqual(all.missing, [])
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
      // Whoever looks without a pause leaves a machine of one core to nobody else.
      usleep(1_000)
      guard let before = try? Data(contentsOf: copy.appending(path: list)) else { continue }
      let named = String(decoding: before, as: UTF8.self).matches(of: /Filename: (\S+)/)
        .map { String($0.1) }
      let missing = named.filter {
        !isThere(copy.appending(path: $0))
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
