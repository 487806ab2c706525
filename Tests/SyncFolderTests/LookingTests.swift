import CSyncSystem
import TestSupport
import Foundation
import XCTest
@testable import SyncFiles
@testable import SyncFolder
import FolderTestSupport
@testable import SyncText

final class LookingTests: FolderTestCase {
  private let resolvers = [PathResolver.kernel, .walking]

  func testLooksTellWhatStandsThere() throws {
    for resolver in resolvers {
      let folder = try open(resolver: resolver)
      try put("abc", at: path + "/a/b/file")
      XCTAssertEqual(try folder.look(at: relative("a/b/file"))?.kind, .file)
      XCTAssertEqual(try folder.look(at: relative("a/b/file"))?.size, 3)
      XCTAssertEqual(try folder.look(at: relative("a/b"))?.kind, .directory)
      for absent in ["x", "a/x", "x/y/z", "a/b/file/x"] {
        XCTAssertNil(try folder.look(at: relative(absent)), absent)
      }
    }
  }

  func testManyLooksKeepTheirOrder() throws {
    let folder = try open()
    let paths = try (0..<300).map { try relative("d\($0 / 3)/\($0)") }
    for number in stride(from: 0, to: 300, by: 2) {
      try put(String(repeating: "x", count: number), at: path + "/d\(number / 3)/\(number)")
    }
    let looks = try folder.look(at: paths).map { try $0.get()?.size }
    XCTAssertEqual(looks, (0..<300).map { $0.isMultiple(of: 2) ? Int64($0) : nil })
  }

  func testLooksAndReadsFollowNoLink() throws {
    for resolver in resolvers {
      let folder = try open(resolver: resolver)
      for (name, target) in [("dir", outside), ("file", outside + "/canary"), ("gone", "/no")] {
        try? makeLink(at: path + "/" + name, to: target)
      }
      XCTAssertNil(try folder.look(at: relative("dir/canary")))
      XCTAssertEqual(try folder.look(at: relative("file"))?.kind, .symbolicLink)
      assertThrows(.blocked, try folder.hash(relative("file")))
      assertThrows(.blocked, try folder.hash(relative("gone")))
      XCTAssertThrowsError(try folder.hash(relative("dir/canary")))
    }
  }

  func testOtherFileSystemsAreNotEntered() throws {
    _ = try open()
    try put("x", at: path + "/disk/hidden")
    try withMount(at: path + "/disk", options: "size=64k") {
      try put("x", at: path + "/disk/file")
      for resolver in resolvers {
        let folder = try open(resolver: resolver)
        XCTAssertNil(try folder.look(at: relative("disk/file")))
        XCTAssertThrowsError(try folder.hash(relative("disk/file")))
        XCTAssertEqual(try folder.countForeign { _ in false }, 1)
      }
    }
  }

  func testHashingReadsRegularFilesOnly() throws {
    let folder = try open()
    try put("abc", at: path + "/file")
    let hashed = try folder.hash(relative("file"))
    XCTAssertTrue(hashed.sha256.description.hasPrefix("ba7816bf"))
    XCTAssertEqual(hashed.stamp, try stamp("file", in: folder))
    XCTAssertEqual(mkfifo(path + "/fifo", 0o600), 0)
    assertThrows(.blocked, try folder.hash(relative("fifo")))
    try put("x", at: path + "/directory/x")
    assertThrows(.blocked, try folder.hash(relative("directory")))
    assertThrows(.failed, try folder.hash(relative("absent")))
  }

  func testForeignFilesAreCounted() throws {
    let folder = try open()
    for name in ["ours", "a/ours", "foreign", "a/b/foreign"] { try put("x", at: path + "/" + name) }
    try makeLink(at: path + "/a/link", to: outside)
    let count = try folder.countForeign {
      String(decoding: $0.bytes, as: UTF8.self).hasSuffix("ours")
    }
    XCTAssertEqual(count, 3)
  }

  func testATreeDeeperThanAPathMayBeLongIsWalkedAsFarAsItGoes() throws {
    let folder = try open()
    var directory = folder.root
    let name = [UInt8](repeating: UInt8(ascii: "d"), count: 250)
    for _ in 0..<20 {
      try directory.makeDirectory(name)
      directory = try directory.open(name: name, [.reading, .directory])
    }
    XCTAssertEqual(try folder.countForeign { _ in false }, 1)
    try folder.removeTree(BeneathPath.root.appending(name))
    XCTAssertEqual(try names(path), [".mirror"])
  }

  func testTheCacheHoldsFewDescriptors() throws {
    let folder = try open()
    for number in 0..<200 { try put("x", at: path + "/\(number)/x") }
    let cache = DirectoryCache(folder, capacity: 4)
    let before = try openDescriptors()
    for number in 0..<200 {
      let place = BeneathPath.root.appending("\(number)")
      XCTAssertNotNil(try cache.directory(place).status(of: Array("x".utf8)))
    }
    XCTAssertLessThanOrEqual(try openDescriptors() - before, 5)
  }

  private func openDescriptors() throws -> Int { try names("/proc/self/fd").count }
}
