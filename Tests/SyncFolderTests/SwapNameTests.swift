import Foundation
import XCTest
@testable import SyncFiles
@testable import SyncFolder
import FolderTestSupport

/// The name of a file while it changes places: every file system takes one, and what a crash left
/// is known by it.
final class SwapNameTests: FolderTestCase {
  private static let paths = [
    "a", "b/c", "deep/er/file-with-dashes", "100%", "100%/2F", "a%2Fb/c%25", "%", "é/\u{301}x",
    "swap-00-x", "a b/.c",
  ]

  func testANameTellsThePathThatItIsOf() throws {
    for text in Self.paths {
      let path = BeneathPath(try relative(text))
      let names = SwapName.candidates(for: path)
      XCTAssertEqual(SwapName.place(of: try XCTUnwrap(names.first)), path, text)
      XCTAssertEqual(names.count, 2, text)
    }
  }

  func testANameAddsNothingThatAFileSystemRefuses() throws {
    let refused = Set("\\:*?\"<>|/".utf8)
    for text in Self.paths + [String(repeating: "x", count: 250) + "/y"] {
      for name in SwapName.candidates(for: BeneathPath(try relative(text))) {
        XCTAssertTrue(refused.isDisjoint(with: name), text)
        XCTAssertLessThanOrEqual(name.count, 255, text)
      }
    }
  }

  func testTheLastNameIsShortAndPlain() throws {
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
    for text in Self.paths {
      let names = SwapName.candidates(for: BeneathPath(try relative(text)))
      let last = try XCTUnwrap(names.last)
      XCTAssertTrue(letters.isSuperset(of: last), text)
      XCTAssertLessThan(last.count, 64, text)
    }
  }

  func testWhereNamesAreShortAFileIsReplacedAllTheSame() throws {
    let long = String(repeating: "n", count: 140)
    let disk = ShortNamedDisk()
    let folder = try open(fileSystem: disk)
    let staging = try Staging(folder)
    let path = Destination.item(try relative(long))
    let editor = TreeEditor(folder, batch: Self.batch)
    let first = try stage("one", in: staging)
    _ = try editor.place(first, from: staging, at: path, expecting: .nothing)
    let second = try stage("two", in: staging)
    _ = try editor.place(second, from: staging, at: path, expecting: .ours(first.stamp))
    XCTAssertEqual(try text(self.path + "/" + long), "two")
    XCTAssertEqual(try names(self.path + "/.mirror/staging"), [])
  }
}

/// Takes names of at most 143 bytes, as eCryptfs does.
private struct ShortNamedDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()

  func rename(
    _ name: [UInt8], in directory: Int32, to newName: [UInt8], in target: Int32, _ rule: RenameRule
  ) throws(Errno) {
    guard newName.count <= 143 else { throw .nameTooLong }
    try base.rename(name, in: directory, to: newName, in: target, rule)
  }
}
