import CatalogMirror
import SyncFiles
import SyncText

/// The packs of one publishing: what is there of them, what is written, and what is removed.
struct PublishedPacks {
  /// Where they lie; `nil` where there are none and none are to be.
  private let directory: PackDirectory?
  /// Takes the bytes of small files; `nil` where nothing is packed.
  let packer: Packer?
  private(set) var memory: PackMemory
  /// What was done; `nil` where nothing is packed and no pack was removed.
  private(set) var report: PublishReport.Packs?

  /// Looks at what is there, and changes nothing of it but what a publisher left that was killed.
  /// - Parameter now: In seconds since 1970.
  /// - Throws: ``PublishError``.
  init(
    _ options: CatalogWriter.Options, at place: CatalogPlace, by right: CatalogPlace.Right,
    remembering memory: PackMemory, now: Int64
  ) throws(PublishError) {
    self.memory = memory
    directory = try PublishError.translating { () throws(PackFailure) in
      let directory = try place.packs()
      if right.lock != nil { try directory?.removeDrafts() }
      return directory
    }
    guard options.packs else {
      packer = nil
      return
    }
    guard let directory else { throw .badOption(place.packsProblem) }
    let named = place.book
    let book = try PublishError.translating { () throws(PackFailure) in
      try Self.packsThatAreThere(of: named, in: directory, isRead: options.rehashes)
    }
    // Without a memory: no pack ever had as large a number as the time.
    let least = memory.next ?? (directory.isThere ? max(now, 1) : 1)
    packer = Packer(
      directory, book, next: max(least, (named.last ?? 0) + 1),
      mostPacks: Self.mostPacks(beside: options), mayWrite: right.check)
  }

  private static func packsThatAreThere(
    of book: PackBook, in directory: PackDirectory, isRead: Bool
  ) throws(PackFailure) -> PackBook {
    var (book, missing) = (book, []) as (PackBook, Set<Int64>)
    for pack in book.named where try !directory.holds(pack, isRead: isRead) {
      missing.insert(pack.id)
    }
    book.remove(missing)
    return book
  }

  /// How many packs a header has room for: readers take one of 1 MB.
  private static func mostPacks(beside options: CatalogWriter.Options) -> Int {
    // A character may take six bytes, and a row of the list at most a hundred.
    let others = 2_048 + 6 * ((options.title ?? "").utf8.count + (options.base ?? "").utf8.count)
    return max(0, 1_000_000 - others) / 100
  }

  /// Packs what isn't packed yet of the files that the catalog lists, and has all packs stand in
  /// their places.
  mutating func complete(
    _ files: inout [PublishedFile], listing count: Int, by hashing: inout FileHashing
  ) throws {
    guard let packer, let directory else { return }
    try hashing.pack(&files, first: count, by: packer)
    let written = try PublishError.translating(packer.finish)
    memory.next = packer.next
    var report = PublishReport.Packs(
      directory: CatalogKey.escape(directory.name), named: packer.book.packs.count,
      written: written.count, writtenBytes: written.bytes)
    for file in files[..<count] where PackPolicy.takes(file.size) {
      if packer.book.place(of: file.digest) == nil {
        report.waiting += 1
      } else {
        report.files += 1
      }
    }
    self.report = report
  }

  /// What the catalog says of them.
  var text: (book: PackBook, directory: [UInt8])? {
    guard let packer, let directory else { return nil }
    return (packer.book, directory.name)
  }

  /// Removes what the catalog that is in place now hasn't named for long enough.
  mutating func sweep(keeping time: Duration, now: Int64) {
    guard let directory else { return }
    let named = Set(packer?.book.packs.values.map(\.digest) ?? [])
    do throws(PackFailure) {
      let removed = try directory.sweep(
        naming: named, &memory, now: now, keep: time.components.seconds)
      if removed > 0 || report != nil {
        report = report ?? PublishReport.Packs(directory: CatalogKey.escape(directory.name))
        report?.removed = removed
      }
    } catch {
      report = report ?? PublishReport.Packs(directory: CatalogKey.escape(directory.name))
      report?.unremoved = error.errno.text
    }
  }

  /// Removes what was written and has no place yet.
  func abandon() { packer?.abandon() }
}

extension PublishError {
  /// Runs `body`, whose failure is one of packs.
  fileprivate static func translating<Value>(
    _ body: () throws(PackFailure) -> Value
  ) throws(PublishError) -> Value {
    do {
      return try body()
    } catch {
      throw PublishError(error)
    }
  }
}
