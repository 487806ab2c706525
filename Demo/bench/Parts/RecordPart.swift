import Foundation
import RecordSync

/// One measurement of records as a library, or of what a Swift program would do by hand: a process
/// of its own, so that its memory is its own.
enum RecordPart: String {
  /// A sync of a payload that is in memory.
  case sync
  /// Objects that are put one at a time.
  case put
  /// `JSONDecoder`, and a prepared statement in a loop.
  case decoder

  /// What a part found out.
  struct Finding: Codable {
    /// How long the work took, without what was read and opened before.
    var seconds: Double
    /// SQLite's `PRAGMA synchronous`, where the program can ask for it.
    var synchronous: Int?
    /// How many rows and links were changed, as the report has it.
    var changes: Int?
    /// What memory grew by at its peak, the payload with it, as so many payloads.
    var payloads: Double?
  }

  /// - Parameters:
  ///   - source: A payload's file; how many objects for ``put``.
  func run(database: String, table: String, source: String) async throws -> Finding {
    switch self {
    case .sync: try await sync(source, into: table, of: database)
    case .put: try await put(Int(source) ?? 0, into: table, of: database)
    case .decoder: try DecoderLoop.run(source, into: database)
    }
  }

  private func sync(
    _ file: String, into table: String, of database: String
  ) async throws -> Finding {
    let store = try await RecordStore(path: database)
    ProcessMemory.forgetPeak()
    let memory = ProcessMemory.bytes(peak: false)
    let bytes = try Self.bytes(of: file)
    let began = ContinuousClock.now
    let report = try await store.sync(.bytes(bytes), into: table)
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    precondition(!report.isPartial)
    let grown = max(0, ProcessMemory.bytes(peak: true) - memory)
    return Finding(
      seconds: seconds, changes: report.changes, payloads: Double(grown) / Double(bytes.count))
  }

  private func put(
    _ count: Int, into table: String, of database: String
  ) async throws -> Finding {
    let store = try await RecordStore(path: database)
    let began = ContinuousClock.now
    for number in 1...max(1, count) {
      let object = #"{"id": \#(1_000_000_000 + number), "name": "Ada Abel", "age": 36}"#
      let report = try await store.put(.text(object), into: table)
      precondition(report.status == .written)
    }
    return Finding(seconds: (ContinuousClock.now - began) / .seconds(1))
  }

  /// All of a file, held once.
  static func bytes(of path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else {
      throw BenchProblem(description: "\(path) can't be read, error \(errno)")
    }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count {
        let came = read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        guard came > 0 else { return }
        count += came
      }
    }
  }
}

extension RecordReport {
  /// How many rows and links were changed.
  fileprivate var changes: Int {
    tables.values.reduce(0) { sum, table in
      sum + table.inserted.count + table.updated.count + table.deleted.count + table.linked
        + table.unlinked
    }
  }
}
