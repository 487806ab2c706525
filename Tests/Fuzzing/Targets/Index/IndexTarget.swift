import CatalogMirror
import Dispatch
import Foundation
import SyncDatabase

/// The index after any damage: it opens and makes sense, or the error says that it is
/// damaged, so that the next run rebuilds it.
enum IndexTarget {
  /// The input is the index's file.
  static func checkFile(_ bytes: [UInt8]) throws {
    try IndexFile.shared.withBytes(bytes) { path in try finish { try await use(path) } }
  }

  /// The input says what happened to a sound index: three bytes of an offset, a count, and so many
  /// bytes that stand there now; a count of 0 cuts the file there. And so on.
  static func checkDamage(_ input: [UInt8]) throws {
    var bytes = try SoundIndex.shared.get()
    var rest = input[...]
    while rest.count >= 4, !bytes.isEmpty {
      let offset = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) } % bytes.count
      let count = Int(rest[rest.startIndex + 3]) % 9
      rest = rest.dropFirst(4)
      if count == 0 { bytes.removeLast(bytes.count - offset) }
      for (place, byte) in zip(offset..<bytes.count, rest.prefix(count)) { bytes[place] = byte }
      rest = rest.dropFirst(count)
    }
    try checkFile(bytes)
  }

  private static func use(_ path: String) async throws {
    guard hasSensibleHeader(path) else { return }
    try await note {
      let index = try await MirrorIndex.open(path: path, synchronous: .off)
      for read in reads { try await note { try await index.read(read) } }
      let verdict = await result { try await index.read { try $0.connection.checkIntegrity() } }
      for write in writes { try await note { try await index.write(write) } }
      if case .success = verdict {
        for read in reads { try await note { try await index.read(read) } }
      }
      await index.close()
    }
  }

  /// The mirror looks at these bytes before it opens a file (`MirrorFolder.indexHeader`).
  private static func hasSensibleHeader(_ path: String) -> Bool {
    guard let header = FileManager.default.contents(atPath: path)?.prefix(20), !header.isEmpty
    else { return true }
    return header.count == 20 && header.starts(with: Array("SQLite format 3\0".utf8))
      && (1...2).contains(header[18]) && (1...2).contains(header[19])
  }

  private static let reads: [@Sendable (IndexReader) throws -> Void] = [
    { reader in try reader.forEachItem { _ = try reader.item($0.key) } },
    { _ = try $0.unfinishedRemovals() },
    { reader in
      var last: CatalogKey?
      while true {
        let piece = try reader.expectedFiles(after: last, atMost: 3)
        guard let next = piece.last?.key else { break }
        last = next
      }
    },
    { _ = try $0.knownLines() },
    { _ = try $0.survey() },
    { _ = try $0.itemsLackingContent() },
    { _ = try $0.itemsLackingPreview() },
    { _ = try $0.counts() },
    { _ = try $0.failures() },
    { _ = try $0.recentRuns(limit: 5) },
    { _ = try $0.quarantined() },
    { _ = try $0.validators(fingerprint: SoundIndex.fingerprint) },
    { reader in
      for name in [ValueName.folderID, .catalog, .wantsContents, .highestRevision] {
        _ = try reader.value(name)
      }
    },
  ]

  private static let writes: [@Sendable (IndexWriter) throws -> Void] = [
    { try SoundIndex.fill($0) },
    { writer in
      var keys: [CatalogKey] = []
      try writer.forEachItem { keys.append($0.key) }
      try writer.markRemoving(Set(keys).map { RemovalMark(key: $0, quarantineName: "q/\($0)") })
      try writer.finishRemoval(of: keys, quarantined: [])
    },
  ]

  /// Damage is an answer; so is a newer version. Anything else would tell a person to look for the
  /// fault elsewhere, and the file would never be rebuilt.
  private static func note(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as DatabaseError {
      switch error.code {
      case .damaged, .newerVersion: return
      default: throw Violation("a damaged index is taken for something else: \(error)")
      }
    }
  }

  private static func result(_ body: () async throws -> Void) async -> Result<Void, any Error> {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }

  /// Runs asynchronous code to its end; the caller is libFuzzer's or XCTest's thread, and none of
  /// Swift's own.
  static func finish(_ body: @escaping @Sendable () async throws -> Void) throws {
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    Task {
      do { try await body() } catch { outcome.error = error }
      done.signal()
    }
    done.wait()
    if let error = outcome.error { throw error }
  }

  // Written before the signal and read after the wait.
  private final class Outcome: @unchecked Sendable {  // the semaphore orders the two accesses
    var error: (any Error)?
  }
}
