private import SyncEssentials
import SyncFiles
import SyncLock
import SyncText

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

/// What is remembered of a partial file, so that a later run can go on with it.
///
/// Kept beside the file, under the name ``name(of:)``: the digest of the JSON in a first line, and
/// the JSON in a second one. A record that a crash tore doesn't bear its own digest.
package struct PartialRecord: Codable, Equatable, Sendable {
  /// The name of the file in the staging area: a random one, so that an old record that comes back
  /// after a power cut never speaks of a newer file.
  package var file: String
  /// The number of the file on the file system: where a file is placed, another one may take its
  /// name in the staging area for a moment.
  package var inode: UInt64
  /// The digest of the locator that was asked; only its digest, since a query may hold a secret.
  package var locator: String
  /// The digest of the address that answered, without its query, which a redirect may sign anew.
  package var place: String
  /// What the file is a part of: a validator, as its source wrote it.
  package var validator: String
  /// The length of the whole, as far as the server said.
  package var whole: Int64?
  /// How much of the file was on the disk when this was written.
  package var flushed: Int64
  /// When this was written, in seconds since 1970.
  var savedAt: Double
  /// Which bytes are in the file, where it was written in several parts; `nil` where it is one part
  /// from its beginning to its end. A version of the program that doesn't know of parts takes it
  /// for one, finds another digest in the end, and fetches the whole.
  package var parts: ByteRanges?
  /// Whether it was found out that the file can't be made of parts: each may be answered by another
  /// address, such as one of several mirrors. `nil` where it wasn't.
  package var comesWhole: Bool?

  package init(
    file: String, inode: UInt64, locator: String, place: String, validator: String,
    whole: Int64?, flushed: Int64, savedAt: Double, parts: ByteRanges? = nil,
    comesWhole: Bool? = nil
  ) {
    self.file = file
    self.inode = inode
    self.locator = locator
    self.place = place
    self.validator = validator
    self.whole = whole
    self.flushed = flushed
    self.savedAt = savedAt
    self.parts = parts
    self.comesWhole = comesWhole
  }

  /// How long a partial file waits to be gone on with.
  static let lifetime = 7.0 * 86_400
  static let limit = 16 << 10
  private static let prefix = "resume-"

  /// The name of the record of a slot, which is a digest in hexadecimal.
  static func name(of slot: String) -> String { prefix + slot }

  /// The slot of a record's name; `nil` for any other name.
  static func slot(ofName name: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    return SHA256Digest(hexadecimal: String(name.dropFirst(prefix.count))).map(\.description)
  }

  /// The bytes of its file; `nil` when they are too many, such as with a huge entity tag.
  package func encoded() -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let json = try? encoder.encode(self) else { return nil }
    let bytes = Array("\(SHA256Digest(of: json))\n".utf8) + json + [UInt8(ascii: "\n")]
    return bytes.count <= Self.limit ? bytes : nil
  }

  /// The record in a file; `nil` when it isn't whole, or claims what can't be.
  package init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count == 3, lines[2].isEmpty,
      let digest = SHA256Digest(hexadecimal: String(decoding: lines[0], as: UTF8.self)),
      digest == SHA256Digest(of: lines[1]),
      let record = try? JSONDecoder().decode(PartialRecord.self, from: Data(lines[1])),
      record.flushed >= 0, record.whole ?? 1 > 0, Self.slot(ofName: record.file) == nil,
      !record.file.hasPrefix(Staging.swapPrefix),
      (try? BeneathPath.staging.appending(plain: record.file)) != nil
    else { return nil }
    self = record
  }

  /// Whether it is still of use; one from the future is as old as it is ahead.
  func isFresh(at now: Double) -> Bool { abs(now - savedAt) <= Self.lifetime }
}
