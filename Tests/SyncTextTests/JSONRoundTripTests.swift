import TestSupport
import XCTest
@testable import SyncText

/// Values made at random, written and read back; a failure names the seed that makes its value.
final class JSONRoundTripTests: XCTestCase {
  private indirect enum Tree: Equatable, JSONWritable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string([UInt8])
    case array([Tree])
    case object([Member])

    func write(to output: inout [UInt8]) {
      switch self {
      case .null: JSONNull().write(to: &output)
      case .bool(let bool): bool.write(to: &output)
      case .integer(let integer): integer.write(to: &output)
      case .double(let double): JSONNumber(double)?.write(to: &output)
      case .string(let bytes): JSONText(bytes: bytes)?.write(to: &output)
      case .array(let trees):
        JSONWriter.array(to: &output) { for tree in trees { $0.add(tree) } }
      case .object(let members):
        JSONWriter.object(to: &output) {
          for member in members {
            if let name = JSONText(bytes: member.name) { $0.add(name, member.value) }
          }
        }
      }
    }
  }

  private struct Member: Equatable {
    var name: [UInt8]
    var value: Tree
  }

  func testWhatIsWrittenReadsBackEqual() throws {
    for seed in 0..<UInt64(1_000) {
      var generator = SeededGenerator(seed: seed)
      let tree = tree(depth: 4, &generator)
      let written = JSONWriter.value(tree)
      XCTAssertNotNil(String(validating: written, as: UTF8.self), "seed \(seed)")
      let value = try JSONValue(written, in: 0..<written.count, nesting: 8)
      XCTAssertEqual(try read(value), tree, "seed \(seed)")
      XCTAssertEqual(JSONWriter.value(value), written, "seed \(seed)")
      let canonical = value.canonicalBytes
      let again = try JSONValue(canonical, in: 0..<canonical.count, nesting: 8)
      XCTAssertTrue(again.means(theSameAs: value), "seed \(seed)")
      XCTAssertEqual(again.canonicalBytes, canonical, "seed \(seed)")
    }
  }

  private func tree(depth: Int, _ generator: inout SeededGenerator) -> Tree {
    switch Int.random(in: 0..<(depth == 0 ? 5 : 8), using: &generator) {
    case 0: return .null
    case 1: return .bool(generator.oneIn(2))
    case 2: return .integer(Int64(bitPattern: generator.next() >> generator.next() % 64))
    case 3: return .double(double(&generator))
    case 4: return .string(string(&generator))
    case 5:
      return .array(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          tree(depth: depth - 1, &generator)
        })
    default:
      var names: Set<[UInt8]> = []
      for _ in 0..<Int.random(in: 0...20, using: &generator) { names.insert(string(&generator)) }
      let sorted = names.sorted { $0.lexicographicallyPrecedes($1) }.shuffled(using: &generator)
      return .object(
        sorted.map { Member(name: $0, value: tree(depth: min(1, depth - 1), &generator)) })
    }
  }

  private func double(_ generator: inout SeededGenerator) -> Double {
    let double = Double(bitPattern: generator.next())
    return double.isFinite ? double : Double(Int.random(in: -9...9, using: &generator)) / 4
  }

  private func string(_ generator: inout SeededGenerator) -> [UInt8] {
    let pieces: [[UInt8]] = [
      Array("a".utf8), Array("é".utf8), Array("😀".utf8), [0], [0x1F], [0x22], [0x5C], [0x2F],
      Array(#"\u0041"#.utf8), Array("\u{D7FF}".utf8), [0xED, 0xA0, 0x80], [0x7F],
    ]
    let count = Int.random(in: 0...6, using: &generator)
    return (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
  }

  private func read(_ value: JSONValue) throws -> Tree {
    if value.isNull { return .null }
    if let bool = value.bool { return .bool(bool) }
    if let bytes = value.stringBytes { return .string(bytes) }
    if let integer = value.integer { return .integer(integer) }
    if let number = value.number { return .double(try XCTUnwrap(number.double)) }
    if let elements = value.elements { return .array(try elements.map(read)) }
    let members = try XCTUnwrap(value.members)
    return .object(try members.map { Member(name: $0.name, value: try read($0.value)) })
  }
}
