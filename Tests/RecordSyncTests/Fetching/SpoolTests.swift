import Foundation
import XCTest

@testable import RecordSync

/// Bodies that are kept until they are read.
final class SpoolTests: XCTestCase {
  private func text(_ page: SpooledPage) throws -> String {
    var (page, bytes) = (page, [UInt8]())
    while true {
      let piece = try [UInt8](unsafeUninitializedCapacity: 3) { buffer, count in
        count = try page.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      if piece.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece
    }
  }

  func testPagesAreReadAsTheyCameInMemoryAndInAFile() throws {
    for inMemory in [0, 7, 100] {
      let spool = Spool(inMemory: inMemory)
      for part in ["first ", "cut off", "second"] {
        try Array(part.utf8).withUnsafeBytes { try spool.write($0) }
      }
      XCTAssertEqual(spool.isInFile, inMemory < 19)
      for _ in 0..<2 {
        try spool.rewind()
        XCTAssertEqual(try text(SpooledPage(spool, 0..<6)), "first ")
        XCTAssertEqual(try text(SpooledPage(spool, 13..<19)), "second")
      }
    }
  }
}
