import SyncFetching
import SyncFiles
import SyncFolder
import SyncText
import SyncTransport

/// Files that stand where items go, and what tells that they are the items'.
extension RunContext {
  /// The file at an item's place, if it can be told to be the item's, so that nothing has to be
  /// fetched.
  ///
  /// A sync reads what it adopts, as a bit that flips later is found by the digest alone. Only
  /// where the options say that size and date are enough, and they agree, nothing is read and there
  /// is no digest: a tree of terabytes that was copied with its dates is taken over soon.
  ///
  /// - Parameter isKnown: Whether the index knows the item.
  func adoptable(_ entry: PlaceableEntry, isKnown: Bool) async throws -> IndexedContent? {
    let (folder, path) = (session.folder, entry.path)
    guard let status = try await session.fileQueue.run({ try folder.look(at: path) }),
      status.kind == .file
    else { return nil }
    return try await adoptable(entry, status, isKnown: isKnown, in: folder)
  }

  /// The same of a file that was looked at.
  func adoptable(
    _ entry: PlaceableEntry, _ status: FileStatus, isKnown: Bool, in folder: MirrorFolder
  ) async throws -> IndexedContent? {
    guard entry.size == nil || entry.size == status.size else { return nil }
    if let proof = entry.proof {
      let hashed = try await hash(entry.path, in: folder, by: [proof])
      guard hashed.digests.prove(proof) else {
        hasComeToNothing(hashed)
        return nil
      }
      return IndexedContent(hashed.stamp, sha256: hashed.sha256)
    }
    // What the index knows was lost or found wrong: no date says that it is right again.
    guard !isKnown else { return nil }
    if options.adoption == .sizeAndDate, entry.listed.hasSizeAndDate(of: status) {
      return IndexedContent(status.stamp)
    }
    guard let content = try await confirmedByServer(entry, status) else { return nil }
    // A plan only has to know what would be done, and nothing but a digest speaks against it.
    if target.isInspection, entry.checks.isEmpty { return content }
    do {
      return try await read(content, of: entry, in: folder)
    } catch let error as FolderError where !error.isFatal {
      return nil  // it is moved away, and fetched
    }
  }

  /// Whether a file that is held is as the index has it, and has every digest that the catalog
  /// gives by now.
  func isInPlace(
    _ entry: PlaceableEntry, _ held: IndexedContent, in folder: MirrorFolder
  ) async throws -> Bool {
    do {
      let digests = (entry.sha256.map { [ContentDigest($0)] } ?? []) + entry.checks
      let hashed = try await hash(entry.path, in: folder, by: digests)
      if hashed.stamp == held.stamp, hashed.digests.mismatch(among: digests) == nil { return true }
      hasComeToNothing(hashed)
      return false
    } catch let error as FolderError where !error.isFatal {
      return false  // it is gone, or can't be read: it is fetched
    }
  }

  /// A file that the server confirmed, with its digest.
  private func read(
    _ content: IndexedContent, of entry: PlaceableEntry, in folder: MirrorFolder
  ) async throws -> IndexedContent? {
    let hashed = try await hash(entry.path, in: folder, by: entry.checks)
    // Somebody has written to it since the look, or it isn't what the catalog lists.
    guard hashed.stamp == content.stamp, hashed.digests.mismatch(among: entry.checks) == nil else {
      hasComeToNothing(hashed)
      return nil
    }
    var content = content
    content.sha256 = hashed.sha256
    return content
  }

  /// Reads a file, which a sync tells as progress: it is in place of a download.
  ///
  /// - Parameter digests: What it is to be held against: it is hashed by their algorithms, too.
  private func hash(
    _ path: RelativePath, in folder: MirrorFolder, by digests: [ContentDigest]
  ) async throws -> HashedFile {
    let algorithms = Set(digests.map(\.algorithm))
    let observer = target.isInspection ? nil : observer
    return try await target.fileQueue.runStoppably { stop in
      var told: Int64 = 0
      do {
        return try folder.hash(path, by: algorithms, until: stop) { count in
          told += Int64(count)
          observer?.update { $0.bytesDone += Int64(count) }
        }
      } catch {
        observer?.update { [told] in $0.bytesDone -= told }
        throw error
      }
    }
  }

  /// What was read isn't adopted, and has to be fetched all the same.
  private func hasComeToNothing(_ file: HashedFile) {
    guard !target.isInspection else { return }
    observer.update { $0.bytesDone -= file.stamp.size }
  }

  /// The file, if the server says that an item has its size and, to the second, its date. A server
  /// that can't be asked so says nothing, and the item is fetched.
  ///
  /// Asked by `HEAD`: that something wasn't modified since the file's date is said of anything
  /// older, too.
  private func confirmedByServer(
    _ entry: PlaceableEntry, _ status: FileStatus
  ) async throws -> IndexedContent? {
    guard entry.version.isDate, entry.size != nil || entry.listed.isAbout(status.size),
      let locator = entry.locators.first, locator.hasPrefix("http"),
      try await !target.lostItsIndex
    else { return nil }
    var request = ByteRequest(url: locator)
    request.method = .head
    let answer: ByteAnswer
    do {
      answer = try await catalog.source.fetch(request, into: NoBody())
    } catch is TransportError {
      return nil
    }
    guard answer.declaredLength == status.size, !answer.isCoded,
      let date = answer.provenLastModified, answer.modified == status.modifiedSecond
    else { return nil }
    var content = IndexedContent(status.stamp)
    (content.etag, content.lastModified) = (answer.provenETag, date)
    return content
  }
}

extension PassTarget {
  /// Whether the folder is a mirror whose index was lost once: then its files may be damaged, and
  /// nobody knows any more.
  fileprivate var lostItsIndex: Bool {
    get async throws {
      guard let index else { return folder != nil }
      return try await index.read { try $0.value(.wasLost) } != nil
    }
  }
}

extension CatalogEntry {
  /// Whether a file has the size and the date that the catalog gives, a date without a zone being
  /// one of UTC, and as exact as it is written.
  fileprivate func hasSizeAndDate(of status: FileStatus) -> Bool {
    guard size == status.size, let date = listedDate else { return false }
    let start = date.seconds.rounded(.down)
    return (start..<start + date.unit).contains(status.modifiedSecond)
  }

  private var listedDate: ListingDate? {
    if let modified { return ListingDate(utc: modified) }
    guard case .dateAndSize(let text?, _) = version else { return nil }
    return ListingDate(local: text)
  }
}

extension FileStatus {
  /// Whole seconds, also before 1970; a Double of nanoseconds would round some up.
  fileprivate var modifiedSecond: Double {
    let (seconds, rest) = modifiedNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Double(rest < 0 ? seconds - 1 : seconds)
  }
}
