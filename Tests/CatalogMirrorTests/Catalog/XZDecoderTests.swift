import Foundation
import SyncText
import XCTest

@testable import CatalogMirror

/// Suites that have their lists in xz alone, as two of Debian's own, couldn't be mirrored.
final class XZDecoderTests: RunTestCase {
  private func packed(_ bytes: Data, _ options: String...) throws -> [UInt8] {
    let path = base + "/list"
    try bytes.write(to: URL(filePath: path))
    let program = Process()
    program.executableURL = URL(filePath: "/usr/bin/xz")
    program.arguments = ["-kf"] + options + [path]
    try program.run()
    program.waitUntilExit()
    XCTAssertEqual(program.terminationStatus, 0)
    return Array(try Data(contentsOf: URL(filePath: path + ".xz")))
  }

  /// Unpacks bytes in pieces of a length; says how many came, and whether they came to their end.
  private func unpacked(
    _ bytes: [UInt8], by length: Int = .max
  ) throws -> (bytes: [UInt8], isAtEnd: Bool) {
    let decoder = XZDecoder()
    var all: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      try rest.prefix(length).withUnsafeBytes { piece in
        try decoder.feed(piece) { all += $0 }
      }
      rest = rest.dropFirst(length)
    }
    try decoder.finish { all += $0 }
    return (all, decoder.isAtEnd)
  }

  func testAFileIsUnpackedInPiecesOfAnyLengthAndSoAreSeveralInOne() throws {
    let text = Array(String(repeating: "Package: a\n\n", count: 20_000).utf8)
    let file = try packed(Data(text))
    for length in [1, 7, 4_096, Int.max] {
      let (bytes, isAtEnd) = try unpacked(file, by: length)
      XCTAssertTrue(bytes == text && isAtEnd, "\(length)")
    }
    let two = try unpacked(file + file)
    XCTAssertTrue(two.bytes == text + text && two.isAtEnd)
  }

  func testNoPrefixOfAFileComesToItsEndAndDamageIsNoticed() throws {
    let file = try packed(Data("Package: a\nFilename: pool/a\n".utf8))
    for length in 0..<file.count {
      XCTAssertFalse(try unpacked(Array(file[..<length])).isAtEnd, "\(length) bytes")
    }
    for place in file.indices {
      var damaged = file
      damaged[place] ^= 0x10
      let end = Result { try unpacked(damaged).isAtEnd }
      XCTAssertFalse((try? end.get()) ?? false, "byte \(place)")
    }
    XCTAssertFalse(try unpacked(file + [1, 2, 3, 4]).isAtEnd, "rubbish behind it")
  }

  /// The highest level of xz is read; a file that asks for more memory isn't.
  func testAFileThatTakesTooMuchMemoryIsRefused() throws {
    XCTAssertTrue(try unpacked(packed(Data("x".utf8), "-9")).isAtEnd)
    let file = try packed(Data("x".utf8), "--lzma2=dict=128MiB")
    XCTAssertThrowsError(try unpacked(file)) { error in
      XCTAssertEqual(error as? UnpackingProblem, .memory)
    }
  }

  /// A few kilobytes on the way may be any number in the memory.
  func testWhatUnpacksToMoreThanTheLimitIsCut() throws {
    let bomb = try packed(Data(count: 64 << 20))
    XCTAssertLessThan(bomb.count, 16 << 10)
    let sink = PageSink(ByteAllowance(1 << 20), packing: .xz) { _ in
      LineSieve({ .none }, opened: { _ in nil })
    }
    try sink.begin(.init(url: "https://h/Packages.xz", isFramed: true))
    XCTAssertThrowsError(try bomb.withUnsafeBytes { try sink.write($0) }) { error in
      XCTAssertEqual(
        error as? CatalogError, .limit(url: "https://h/Packages.xz", .bytes, most: 1 << 20))
    }
  }
}
