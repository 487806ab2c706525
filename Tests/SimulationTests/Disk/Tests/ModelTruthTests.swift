import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles

/// The model against the file system of this machine: the same calls in the same order have the
/// same answers and leave the same tree.
final class ModelTruthTests: XCTestCase {
  private var base = ""

  override func setUpWithError() throws {
    base = try temporaryFolder().path
  }

  func testTheModelAnswersAsTheSystemDoes() throws {
    for seed in UInt64(0)..<150 {
      let folder = "\(base)/\(seed)"
      let real = try TruthSide(SystemFileSystem(), folder)
      let disk = ModelDisk()
      try disk.put(.directory, at: base)
      let model = try TruthSide(disk.fileSystem, folder)
      try plantLink(in: folder, disk)
      var random = SeededGenerator(seed: seed)
      for step in 0..<120 {
        let call = TruthCall.random(using: &random)
        let (expected, found) = (real.answer(to: call), model.answer(to: call))
        guard expected == found else {
          XCTFail("seed \(seed), step \(step): \(call): \(expected) is the truth, not \(found)")
          return
        }
      }
      XCTAssertEqual(disk.tree(below: folder), try tree(folder), "seed \(seed)")
    }
  }

  private func plantLink(in folder: String, _ disk: ModelDisk) throws {
    try makeLink(at: folder + "/link", to: "a")
    try disk.put(.link(Array("a".utf8)), at: folder + "/link")
  }

  private func tree(_ folder: String) throws -> [String: ModelDisk.Thing] {
    var found: [String: ModelDisk.Thing] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      let whole = "\(folder)/\(path)"
      switch try FileManager.default.attributesOfItem(atPath: whole)[.type] as? FileAttributeType {
      case .typeDirectory: found[path] = .directory
      case .typeSymbolicLink:
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: whole)
        found[path] = .link(Array(target.utf8))
      default: found[path] = .file([UInt8](try Data(contentsOf: URL(fileURLWithPath: whole))))
      }
    }
    return found
  }
}

/// One call, on whichever side.
enum TruthCall {
  case open(directory: Int, path: String, flags: OpenFlags, beneath: Bool)
  case close(Int)
  case write(Int, count: Int, byte: UInt8)
  case read(Int, count: Int)
  case writeAt(Int, offset: Int64, count: Int, byte: UInt8)
  case readAt(Int, offset: Int64, count: Int)
  case rewind(Int)
  case truncate(Int, length: Int64)
  case setModified(Int, Int64)
  case status(Int)
  case statusOf(directory: Int, name: String)
  case entries(Int)
  case makeDirectory(directory: Int, name: String)
  case unlink(directory: Int, name: String)
  case removeDirectory(directory: Int, name: String)
  case rename(directory: Int, name: String, target: Int, newName: String, RenameRule)
  case lock(Int, shared: Bool)
  case flush(Int)

  /// The numbers stand for what is open, whatever that is when the call comes.
  static func random(using random: inout SeededGenerator) -> TruthCall {
    let number = Int.random(in: 0..<12, using: &random)
    let name = pick(["a", "b", "c", "link", "a", "b"], &random)
    switch Int.random(in: 0..<25, using: &random) {
    case 0...2: return .open(directory: number, path: name, flags: flags(&random), beneath: false)
    case 3...5:
      let path = pick(["a", "a/b", "b/a/c", "link/b", "a/./b", ".", "c/a"], &random)
      return .open(directory: number, path: path, flags: flags(&random), beneath: true)
    case 6: return .close(number)
    case 7, 8:
      return .write(
        number, count: pick([0, 1, 10, 5_000], &random), byte: .random(in: 0...9, using: &random))
    case 9: return .read(number, count: pick([1, 7, 6_000], &random))
    case 10: return .readAt(number, offset: pick([0, 3, 5_000], &random), count: 20)
    case 24:
      return .writeAt(
        number, offset: pick([0, 4, 9_000], &random), count: pick([0, 1, 5_000], &random),
        byte: .random(in: 0...9, using: &random))
    case 11: return .rewind(number)
    case 12: return .truncate(number, length: pick([0, 3, 4_096, 9_000], &random))
    case 13: return .setModified(number, pick([0, -1, 1_700_000_000_123_456_789], &random))
    case 14: return .status(number)
    case 15: return .statusOf(directory: number, name: pick([name, "."], &random))
    case 16: return .entries(number)
    case 17, 18: return .makeDirectory(directory: number, name: name)
    case 19: return .unlink(directory: number, name: name)
    case 20: return .removeDirectory(directory: number, name: name)
    case 21, 22:
      return .rename(
        directory: number, name: name, target: Int.random(in: 0..<12, using: &random),
        newName: pick(["a", "b", "c", "link"], &random),
        pick([.replacing, .intoEmptyPlace, .exchanging], &random))
    default:
      return Bool.random(using: &random) ? .lock(number, shared: random.oneIn(2)) : .flush(number)
    }
  }

  private static func flags(_ random: inout SeededGenerator) -> OpenFlags {
    pick(
      [
        .reading, .writing, [.reading, .directory], [.reading, .directory],
        [.writing, .creating], [.writing, .creating, .exclusively], [.reading, .withoutWaiting],
      ], &random)
  }

  private static func pick<Element>(
    _ elements: [Element], _ random: inout SeededGenerator
  ) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }
}

/// A file system with what a test has open on it; the folder itself stays open as number 0.
final class TruthSide {
  private let fileSystem: any FileSystem
  private var open: [Int32]

  /// Answers that can be compared: what a call gave, or the number of its error.
  enum Answer: Equatable {
    case done(String)
    case failed(Errno)
  }

  init(_ fileSystem: any FileSystem, _ folder: String) throws {
    self.fileSystem = fileSystem
    try fileSystem.makeDirectory(userPath: folder)
    open = [try fileSystem.open(userPath: folder, [.reading, .directory])]
  }

  deinit { open.forEach(fileSystem.close) }

  func answer(to call: TruthCall) -> Answer {
    do {
      return .done(try perform(call))
    } catch {
      return .failed(error)
    }
  }

  private func number(_ place: Int) -> Int32 { open[place % open.count] }

  private func perform(_ call: TruthCall) throws(Errno) -> String {
    switch call {
    case .open(let directory, let path, let flags, let isBeneath):
      let (name, directory) = (Array(path.utf8), number(directory))
      open.append(
        isBeneath
          ? try fileSystem.open(
            path: name, beneath: directory, flags,
            mode: flags.contains(.creating) ? 0o644 : 0)
          : try fileSystem.open(name, in: directory, flags, mode: 0o644))
      return "opened"
    case .close(let place):
      guard place % open.count > 0 else { return "kept" }
      fileSystem.close(open.remove(at: place % open.count))
      return "closed"
    case .write(let place, let count, let byte):
      return try Self.write(count, of: byte) { bytes throws(Errno) in
        try fileSystem.write(bytes, to: number(place))
      }
    case .writeAt(let place, let offset, let count, let byte):
      return try Self.write(count, of: byte) { bytes throws(Errno) in
        try fileSystem.write(bytes, to: number(place), at: offset)
      }
    case .read(let place, let count):
      return try read(count) { buffer throws(Errno) in
        try fileSystem.read(number(place), into: buffer)
      }
    case .readAt(let place, let offset, let count):
      return try read(count) { buffer throws(Errno) in
        try fileSystem.read(number(place), at: offset, into: buffer)
      }
    case .rewind(let place): try fileSystem.rewind(number(place))
    case .truncate(let place, let length): try fileSystem.truncate(number(place), to: length)
    case .setModified(let place, let time):
      try fileSystem.setModified(number(place), nanoseconds: time)
      return "\(try fileSystem.status(number(place)).modifiedNanoseconds)"
    case .status(let place): return Self.text(try fileSystem.status(number(place)))
    case .statusOf(let directory, let name):
      return Self.text(try fileSystem.status(of: Array(name.utf8), in: number(directory)))
    case .entries(let place):
      return try fileSystem.entries(of: number(place))
        .map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.kind)" }.sorted().description
    case .lock(let place, let isShared): try fileSystem.lock(number(place), shared: isShared)
    case .flush(let place): try fileSystem.flush(number(place))
    case .makeDirectory, .unlink, .removeDirectory, .rename: try change(call)
    }
    return "done"
  }

  private func change(_ call: TruthCall) throws(Errno) {
    switch call {
    case .makeDirectory(let directory, let name):
      try fileSystem.makeDirectory(Array(name.utf8), in: number(directory), mode: 0o755)
    case .unlink(let directory, let name):
      try fileSystem.unlink(Array(name.utf8), in: number(directory))
    case .removeDirectory(let directory, let name):
      try fileSystem.removeDirectory(Array(name.utf8), in: number(directory))
    case .rename(let directory, let name, let target, let newName, let rule):
      try fileSystem.rename(
        Array(name.utf8), in: number(directory), to: Array(newName.utf8), in: number(target), rule)
    default: break
    }
  }

  private func read(
    _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  ) throws(Errno) -> String {
    var bytes = [UInt8](repeating: 0xFF, count: count)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(Errno) in try body(buffer) }
    }
    do {
      return try bytes.prefix(result.get()).description
    } catch .invalid {
      // Some file systems say this of a directory.
      throw .isADirectory
    }
  }

  private static func write(
    _ count: Int, of byte: UInt8, _ body: (UnsafeRawBufferPointer) throws(Errno) -> Int
  ) throws(Errno) -> String {
    let result = [UInt8](repeating: byte, count: count).withUnsafeBytes { buffer in
      Result { () throws(Errno) in try body(buffer) }
    }
    return try "\(result.get())"
  }

  private static func text(_ status: FileStatus) -> String {
    status.kind == .directory ? "directory" : "\(status.kind) \(status.size)"
  }
}
