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
  /// Whether nobody else publishes at the same time.
  private let isLocked: Bool
  /// What was read of packs that are there.
  private(set) var reading = PublishProgress()
  /// What was done; `nil` where nothing is packed and no pack was removed.
  private(set) var report: PublishReport.Packs?

  /// Looks at what is there, and changes nothing of it but what a publisher left that was killed.
  /// - Parameters:
  ///   - now: In seconds since 1970.
  ///   - told: Told how much of the packs was read, where they are.
  /// - Throws: ``PublishError``, or `CancellationError` when it is to stop.
  init(
    _ options: CatalogWriter.Options, at place: CatalogPlace, by right: CatalogPlace.Right,
    remembering memory: PackMemory, now: Int64, until stop: StopFlag,
    told: (PublishProgress) -> Void
  ) throws {
    self.memory = memory
    isLocked = right.lock != nil
    directory = try PublishError.translating { () throws(PackFailure) in
      let directory = try place.packs()
      if right.lock != nil { try directory?.removeDrafts() }
      return directory
    }
    var book = options.packs == false ? PackBook() : place.readBook()
    // A catalog that names packs goes on having them, and nobody needs to say so each time.
    guard options.packs ?? (place.isKept && book.last != nil) else {
      packer = nil
      return
    }
    guard let directory else { throw PublishError.badOption(place.packsProblem) }
    let last = book.last.map(Int64.init) ?? 0
    try Self.removePacksThatAreGone(from: &book, directory, until: stop)
    if options.rehashes {
      try Self.removeDamagedPacks(from: &book, directory, &reading, until: stop, told)
    }
    let mostPacks = Self.mostPacks(beside: options)
    book.trim(to: mostPacks)
    // Without a memory: no pack ever had as large a number as the time.
    let least = memory.next ?? (directory.isThere ? max(now, 1) : 1)
    packer = Packer(
      directory, book, next: min(max(least, last + 1), Packer.endOfIDs), mostPacks: mostPacks,
      mayWrite: right.check)
  }

  private static func removePacksThatAreGone(
    from book: inout PackBook, _ directory: PackDirectory, until stop: StopFlag
  ) throws {
    try PublishError.translating { () throws(PackFailure) in
      var gone: Set<UInt32> = []
      for pack in book.named where try !directory.holds(pack) { gone.insert(pack.id) }
      book.remove(gone)
    }
    try stop.check()
  }

  /// Reads them; those of another size than is named are gone by now.
  private static func removeDamagedPacks(
    from book: inout PackBook, _ directory: PackDirectory, _ reading: inout PublishProgress,
    until stop: StopFlag, _ told: (PublishProgress) -> Void
  ) throws {
    reading.expect(book.named)
    var damaged: Set<UInt32> = []
    for pack in book.named {
      let before = reading
      do {
        let isWhole = try directory.isWhole(pack, until: stop) { count in
          reading.bytes.done += Int64(count)
          told(reading)
        }
        if !isWhole { damaged.insert(pack.id) }
      } catch let failure as PackFailure {
        throw PublishError(failure)
      }
      (reading.files.done, reading.bytes.done) = (
        before.files.done + 1, before.bytes.done + pack.size
      )
      told(reading)
    }
    book.remove(damaged)
  }

  /// How many packs a header has room for: readers take one of 1 MB.
  private static func mostPacks(beside options: CatalogWriter.Options) -> Int {
    // A character may take six bytes, a row of the list at most a hundred, and a signature 160.
    let others =
      2_048 + 6 * ((options.title ?? "").utf8.count + (options.base ?? "").utf8.count)
      + 160 * options.signKeys.count
    return max(0, 1_000_000 - others) / 100
  }

  /// Packs what isn't packed yet of the files that the catalog lists. Nothing has its place yet.
  mutating func gather(
    _ files: inout [PublishedFile], listing count: Int, by hashing: inout FileHashing
  ) throws {
    guard let packer else { return }
    try hashing.pack(&files, first: count, by: packer)
  }

  /// Has all packs stand in their places, where everybody may read them.
  /// - Parameter files: Those that the catalog lists.
  mutating func place(_ files: ArraySlice<PublishedFile>) throws(PublishError) {
    guard let packer, let directory else { return }
    let written = try PublishError.translating(packer.finish)
    memory.next = packer.next
    var report = PublishReport.Packs(
      directory: CatalogKey.escape(directory.name), named: packer.book.packs.count,
      written: written.count, writtenBytes: written.bytes)
    for file in files where PackPolicy.takes(file.size) {
      if !file.isPublic {
        report.withheld += 1
      } else if packer.book.place(of: file.digest) == nil {
        report.waiting += 1
      } else {
        report.files += 1
      }
    }
    report.hasNoID = packer.hasNoID && report.waiting > 0
    self.report = report
  }

  /// What the catalog says of them.
  var text: (book: PackBook, directory: [UInt8])? {
    guard let packer, let directory else { return nil }
    return (packer.book, directory.name)
  }

  /// Removes what the catalog that is in place now hasn't named for long enough, where nobody else
  /// can be publishing at the same time.
  mutating func sweep(keeping time: Duration, now: Int64) {
    guard isLocked, let directory else { return }
    let named = Set(packer?.book.packs.values.map(\.digest) ?? [])
    var sweep = PackDirectory.Sweep()
    do throws(PackFailure) {
      sweep = try directory.sweep(
        naming: named, &memory, now: now, keep: time.components.seconds)
    } catch {
      sweep.failure = error.errno
    }
    guard sweep.removed > 0 || sweep.failure != nil || report != nil else { return }
    var report = report ?? PublishReport.Packs(directory: CatalogKey.escape(directory.name))
    report.removed = sweep.removed
    report.unremoved = sweep.failure?.text
    self.report = report
  }

  /// Removes what was written and has no place yet.
  func abandon() { packer?.abandon() }
}

extension PublishProgress {
  /// These are to be read.
  fileprivate mutating func expect(_ packs: [NamedPack]) {
    files.total += packs.count
    bytes.total += packs.reduce(0) { $0 + $1.size }
  }
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
