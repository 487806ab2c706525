private import SyncEssentials
import SyncFiles
import SyncText

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

  /// A record of these.
  package init(
    file: String, inode: UInt64, locator: String, place: String, validator: String,
    whole: Int64?, flushed: Int64, savedAt: Double
  ) {
    self.file = file
    self.inode = inode
    self.locator = locator
    self.place = place
    self.validator = validator
    self.whole = whole
    self.flushed = flushed
    self.savedAt = savedAt
  }

  /// How long a partial file waits to be gone on with.
  static let lifetime = 7.0 * 86_400
  /// The most bytes of a record.
  static let limit = 16 << 10
  private static let prefix = "resume-"

  /// The name of the record of a slot, which is a digest in hexadecimal.
  static func name(of slot: String) -> String { prefix + slot }

  /// The slot of a record's name; `nil` for any other name.
  static func slot(ofName name: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    return SHA256Digest(hexadecimal: String(name.dropFirst(prefix.count))).map(\.description)
  }
}

extension PartialRecord {
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
