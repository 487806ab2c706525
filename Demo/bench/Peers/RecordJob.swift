import Foundation

/// A payload that is to be in a database: from this the command lines follow.
struct RecordJob {
  let shop: Workshop
  /// What the tables hold in the end.
  let files: RecordFiles
  /// The database that a contender finds.
  let start: URL
  /// What it is called in the folder of a round.
  static let database = "records.sqlite"

  private var set: RecordSet { files.set }

  /// Our library, in a process that has the payload in memory.
  func ours() -> Command { part("sync", files.json.path) }

  /// Objects that are put one after the other.
  func puts(_ count: Int) -> Command { part("put", "\(count)") }

  /// Our program.
  func program(_ payload: URL) -> Command {
    Command(shop.records, "sync", Self.database, set.table, payload.path, "--quiet")
  }

  /// `JSONDecoder` and a loop.
  func decoder() -> Command { part("decoder", files.json.path) }

  /// A loop in C over values that are ready.
  func floor() -> Command {
    Command(shop.neighbour("floor"), Self.database, files.cells.path)
  }

  /// The same, which makes the tables.
  func creatingProgram() -> Command {
    Command(shop.records, "sync", Self.database, set.table, files.json.path, "--create", "--quiet")
  }

  /// One of the programs in Python.
  func python(_ name: String) -> Command {
    Command(shop.python, shop.script(name), Self.database, files.json.path)
  }

  /// A pipeline of dlt's.
  func dlt() -> Command {
    Command(shop.python, shop.script("dlt_merge"), Self.database, files.json.path, set.table)
  }

  private func part(_ name: String, _ source: String) -> Command {
    Command(Workshop.program, "records", name, Self.database, set.table, source)
  }

  /// A contender that says by itself how long the work took, and whose rows are looked at.
  func contender(
    _ peer: Peer, named name: String? = nil, _ command: Command, after first: Command? = nil,
    views: [String: String] = [:], telling figures: [Figure] = []
  ) -> Contender {
    let comparison = RowComparison(wanted: files.whole, tables: set.tables, views: views)
    let name = name ?? peer.rawValue
    return Contender(peer, name, command, after: first ?? copying(start))
      .examined { evidence, sample in
        let finding = try JSONDecoder().decode(
          RecordPart.Finding.self, from: Data(evidence.output.utf8))
        guard finding.synchronous ?? 2 == 2 else {
          throw BenchProblem(description: "\(name) doesn't wait for the disk as all others do")
        }
        sample.wall = finding.seconds
        for figure in figures { sample.extra[figure.rawValue] = figure.value(of: finding) }
        sample.stale = try comparison.differences(in: Self.database(evidence))
      }
  }

  /// Our program as a whole.
  func program(_ name: String, _ payload: URL) -> Contender {
    program(name, program(payload), after: copying(start))
  }

  func program(_ name: String, _ command: Command, after first: Command) -> Contender {
    let comparison = RowComparison(wanted: files.whole, tables: set.tables)
    return Contender(.records, name, command, after: first)
      .examined { evidence, sample in
        sample.stale = try comparison.differences(in: Self.database(evidence))
      }
  }

  /// What makes the database that a contender finds.
  func copying(_ database: URL) -> Command { Command("cp", database.path, Self.database) }

  /// What only some scenarios look at.
  enum Figure: String {
    case memory = "memory at the peak, in payloads"
    case changes = "rows and links that it says it changed"

    fileprivate func value(of finding: RecordPart.Finding) -> Double? {
      switch self {
      case .memory: finding.payloads
      case .changes: finding.changes.map(Double.init)
      }
    }
  }

  private static func database(_ evidence: Contender.Evidence) -> URL {
    evidence.copy.deletingLastPathComponent().appending(path: database)
  }
}
