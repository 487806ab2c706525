import SyncLock
import SyncFiles

/// The partial files in the staging area that can be gone on with, each under a *slot*: the digest
/// of what it will be (see ``PartialIdentity``).
///
/// A partial file is one that a record vouches for; what no record speaks of is swept at the start
/// of a run. A record is written before it counts and removed before its file is, so that a crash
/// leaves a record without its file at worst, and that is nothing.
package final class PartialFiles: Sendable {
  /// From how many bytes on a file is worth a record, and another request for its rest in a later
  /// run. Smaller ones are fetched again.
  package static let worthKeeping: Int64 = 1 << 20

  package let staging: Staging
  private let now: @Sendable () -> Double
  private let records: Locked<[String: PartialRecord]>
  /// Held while records are written and removed, which takes longer than anybody may wait who only
  /// asks.
  private let disk = Locked(())

  private init(
    _ staging: Staging, _ records: [String: PartialRecord], now: @escaping @Sendable () -> Double
  ) {
    self.staging = staging
    self.now = now
    self.records = Locked(records)
  }

  /// Sweeps the staging area but for the partial files, and says which those are.
  ///
  /// Only to be called at the start of a run, under the folder's lock. `now` is in seconds since
  /// 1970.
  package static func sweep(
    _ staging: Staging, now: @escaping @Sendable () -> Double
  ) throws -> PartialFiles {
    var found: [String: PartialRecord] = [:]
    var files: Set<String> = []
    do {
      for entry in try staging.folder.list(BeneathPath.staging) where entry.kind == .file {
        guard let slot = PartialRecord.slot(ofName: String(decoding: entry.name, as: UTF8.self)),
          let record = staging.record(of: slot), record.isFresh(at: now()),
          try staging.directory.status(of: Array(record.file.utf8))?.kind == .file,
          files.insert(record.file).inserted
        else { continue }
        found[slot] = record
      }
    } catch { throw FolderError(error, BeneathPath.staging) }
    try staging.sweep(keeping: files.union(found.keys.map(PartialRecord.name)))
    return PartialFiles(staging, found, now: now)
  }

  package var isEmpty: Bool { records.withLock { $0.isEmpty } }

  /// What is remembered of the partial file of a slot.
  package func record(of slot: String) -> PartialRecord? { records.withLock { $0[slot] } }

  /// Remembers a partial file in place of what its slot had, unless it is given up by then. Best
  /// effort: without its record it is fetched from the start.
  func save(
    _ record: PartialRecord, under slot: String, unless isGivenUp: () -> Bool = { false }
  ) {
    var record = record
    record.savedAt = now()
    guard let bytes = record.encoded() else { return }
    disk.withLock { [record] _ in
      // Asked in here: it mustn't take the place of the record of whoever came after it.
      guard !isGivenUp() else { return }
      do {
        try staging.write(bytes, under: PartialRecord.name(of: slot))
      } catch { return }
      let old = records.withLock { $0.updateValue(record, forKey: slot) }
      if let old, old.file != record.file { staging.unlink(old.file) }
      // Given up meanwhile, by somebody who found nothing to remove yet.
      if isGivenUp() { removeRecorded(slot) }
    }
  }

  /// Forgets the partial file of a slot and removes it, unless it is `survivor`: a file that is
  /// whole by now, or still in use. Waits for nobody where the slot has none.
  package func remove(_ slot: String, but survivor: String? = nil) {
    guard record(of: slot) != nil else { return }
    disk.withLock { _ in removeRecorded(slot, but: survivor) }
  }

  /// Called under ``disk``.
  private func removeRecorded(_ slot: String, but survivor: String? = nil) {
    guard let record = records.withLock({ $0.removeValue(forKey: slot) }) else { return }
    staging.unlink(PartialRecord.name(of: slot))
    if record.file != survivor { staging.unlink(record.file) }
  }

  /// Removes the partial files of all slots that aren't wanted any more.
  package func keep(only wanted: Set<String>) {
    for slot in records.withLock({ Array($0.keys) }) where !wanted.contains(slot) { remove(slot) }
  }
}

extension Staging {
  /// The record of a slot; `nil` when there is none that holds.
  fileprivate func record(of slot: String) -> PartialRecord? {
    let name = Array(PartialRecord.name(of: slot).utf8)
    guard let file = try? directory.open(name: name, [.reading, .withoutWaiting]),
      let status = try? file.status(), status.kind == .file,
      let bytes = try? file.readStart(limit: PartialRecord.limit + 1)
    else { return nil }
    return PartialRecord(bytes)
  }

  /// Writes a small file and puts it in place of what had its name.
  fileprivate func write(_ bytes: [UInt8], under name: String) throws(Errno) {
    let draft = Array(RandomName.make().utf8)
    let file = try directory.open(name: draft, [.writing, .creating, .exclusively], mode: 0o600)
    do {
      try file.write(bytes)
      try directory.rename(draft, to: directory, Array(name.utf8), .replacing)
    } catch {
      try? directory.unlink(draft)
      throw error
    }
  }

  /// Removes a file. Best effort: what stays behind is swept at the next start.
  fileprivate func unlink(_ name: String) {
    try? directory.unlink(Array(name.utf8))
  }
}
