import CatalogMirror
import SyncFiles
import SyncText

/// Brings the bytes of small files into packs, each as it is read. For one thread.
///
/// What a pack holds already, by its digest, isn't written again.
final class Packer {
  private let writer: PackWriter
  /// Which packs there are, and what lies in them.
  private(set) var book: PackBook
  /// The id of the pack that is being written, or of the next one; ``endOfIDs`` where there is none
  /// left.
  private(set) var next: Int64
  /// Readers take ids below this.
  static let endOfIDs = Int64(UInt32.max) + 1
  /// The most packs that the catalog's header has room for.
  private let mostPacks: Int

  /// - Parameters:
  ///   - book: What the catalog that is there says of packs, but for those that aren't there.
  ///   - mayWrite: Throws where nothing may be written beside the catalog.
  init(
    _ directory: PackDirectory, _ book: PackBook, next: Int64, mostPacks: Int,
    mayWrite: @escaping () throws(Errno) -> Void
  ) {
    (self.book, self.next, self.mostPacks) = (book, next, mostPacks)
    writer = PackWriter { () throws(PackFailure) in
      try PackFailure.translating("write", directory.name, mayWrite)
      return try directory.make()
    }
  }

  /// Whether there is room for a file in the pack that is being written, or in another one.
  var hasRoom: Bool { book.packs.count < mostPacks && !hasNoID }

  /// Whether no id is left for another pack: none is given twice.
  var hasNoID: Bool { next >= Self.endOfIDs }

  /// Room to read a file of this size into, and one byte more.
  func room(for size: Int64) throws(PackFailure) -> UnsafeMutableRawBufferPointer {
    if !writer.fits(size) { try endPack() }
    return try writer.room(for: size)
  }

  /// Packs what was read into the room, unless a pack holds it; its digest.
  func pack(_ count: Int) -> SHA256Digest {
    let digest = writer.digest(ofRoom: count)
    guard !book.use(digest), hasRoom, let id = UInt32(exactly: next) else { return digest }
    let place = PackPlace(pack: id, offset: writer.take(count))
    book.add(digest, size: Int64(count), at: place, isLive: true)
    return digest
  }

  /// Notes that a file has these bytes; whether a pack holds them.
  func holds(_ digest: SHA256Digest) -> Bool { book.use(digest) }

  /// Gives up the packs that are to be written anew, beside files that are to be packed still.
  func giveUp(beside waiting: PackPolicy.Load) {
    let shares = book.shares
    // Without an id nothing is written anew: only what holds nothing any more goes.
    let gone =
      hasNoID
      ? Set(shares.filter { $0.live == 0 }.map(\.id))
      : PackPolicy.givenUp(among: shares, beside: writer.open + waiting)
    book.remove(gone)
  }

  /// Whether what is in the pack being written is worth one, together with that.
  func isWorthPacking(with waiting: PackPolicy.Load) -> Bool {
    PackPolicy.isWorthPacking(writer.open + waiting)
  }

  /// Ends: makes the packs durable and gives them their names. How many are new, and with
  /// how many bytes.
  func finish() throws(PackFailure) -> (count: Int, bytes: Int64) {
    if PackPolicy.isWorthPacking(writer.open) {
      try endPack()
    } else {
      writer.dropPack()
      if let id = UInt32(exactly: next) { book.remove([id]) }
    }
    return try writer.finish()
  }

  private func endPack() throws(PackFailure) {
    // Only what has an id was begun.
    guard let id = UInt32(exactly: next) else { return }
    book.add(try writer.endPack(id: id))
    next += 1
  }

  /// Removes what it has written and given no name.
  func abandon() { writer.abandon() }
}
