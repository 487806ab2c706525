import SyncFiles
import SyncFolder
import SyncLock
import SyncText

extension RunContext {
  func keepCatalog() async throws {
    let binding = CatalogBinding(
      folder: session.folder, index: session.index, queue: session.fileQueue)
    try await binding.keep(CatalogIdentity(catalog.root), checkedBy: catalog.keyIDs)
  }

  func record(_ unrecorded: MirrorPass.Unrecorded) async throws {
    if unrecorded.owesFlush, isDurable {
      let folder = session.folder
      try await session.diskQueue.run { try folder.flushEverything() }
    }
    let changes = unrecorded.changes
    if !changes.isEmpty { try await session.index.write { try $0.record(changes) } }
  }

  /// Writes down how a pass ended, and tidies up after it; what comes of that joins its ending.
  ///
  /// - Returns: what went wrong with that, and with which file.
  func end(
    _ settlement: Settlement, of pass: inout MirrorPass
  ) async -> [(error: any Error, path: String)] {
    var problems: [(error: any Error, path: String)] = []
    await forgetLostParts()
    do {
      try await settle(settlement, of: &pass)
    } catch {
      pass.ending?.recordingFailed(error)
      problems.append((error, ".mirror/index.sqlite"))
    }
    do {
      try await removePreviews(named: settlement.orphans)
    } catch {
      // They are in nobody's way; the next run finds them again.
      problems.append((error, ".mirror/previews"))
    }
    return problems
  }

  /// After a failed flush of the folder, the bytes of a partial file may be in memory only: read
  /// again they look right, and no flush would write them.
  private func forgetLostParts() async {
    guard session.folder.hasLostBytes else { return }
    let partials = session.partials
    _ = try? await session.fileQueue.run { partials.keep(only: []) }
  }

  /// Only now: a file that was let go of may have been fetched again under the same name.
  private func removePreviews(named names: Set<String>) async throws {
    guard !names.isEmpty else { return }
    let folder = session.folder
    try await session.fileQueue.run { try folder.removePreviews(named: Array(names)) }
  }

  private func settle(_ settlement: Settlement, of pass: inout MirrorPass) async throws {
    if let number = settlement.revision {
      try await keep(HighestRevision(number, of: options.catalogDigest))
    }
    if settlement.keepsCatalog { try await keepCatalog() }
    if settlement.isWhole, let listing = pass.fetched?.listing { try await keepExpiry(of: listing) }
    if let flaws = settlement.flaws, try await remember(flaws) {
      pass.ending?.foundKnownFlaws(flaws.keys.count)
    }
    if let unreadable = settlement.unreadable {
      let isNews = try await UnreadableSet(unreadable).remember(in: session.index)
      if isNews { pass.ending?.foundNewUnreadable() }
    }
    try await recordRun(of: pass, settlement)
  }

  /// Remembers what the source lists and doesn't give.
  ///
  /// - Returns: whether all of it was known, and nothing else was.
  private func remember(_ flaws: KnownFlaws) async throws -> Bool {
    try await session.index.write { writer in
      let before = try KnownFlaws(in: writer)
      let found = try KnownFlaws(flaws.keys, notHeldIn: writer)
      if found != before { try writer.setValue(found.text, for: .flawedItems) }
      return found == before && found == flaws
    }
  }

  private func recordRun(of pass: MirrorPass, _ settlement: Settlement) async throws {
    let address = URLReference(options.catalog)?.redacted
    guard let ending = pass.ending,
      let record = pass.record(startedAt: startedAt, took: time.now, catalog: address ?? "")
    else { return }
    let validators = settlement.validated.map(whatValidates)
    let identity = CatalogIdentity(catalog.root).text
    try await session.index.write { [options] writer in
      if let validators {
        try writer.setValidators(validators)
        let namesPacks = pass.fetched.map { !$0.listing.packs.isEmpty } ?? false
        try writer.setValue(namesPacks ? "yes" : nil, for: .namesPacks)
        if let superseded = pass.superseded {
          let names = PathList(superseded.compactMap { try? RelativePath($0) })
          try writer.setValue(names.paths.isEmpty ? nil : names.text, for: .supersededNames)
        }
      }
      if options.makesEmptyDirectories, let directories = settlement.emptyDirectories {
        // A directory that can't be read says nothing of those below it.
        let hides = !(settlement.unreadable ?? []).isEmpty
        let before = try PathList(.listedDirectories, in: writer)
        let known = hides ? directories.union(before) : directories
        try writer.setValue(known.text, for: .listedDirectories)
      }
      try writer.recordRun(record)
      // A repair says nothing of the items that it wasn't told of.
      guard settlement.isWhole else { return }
      if settlement.keepsScope {
        try writer.setValue(options.scope.digest.description, for: .scope)
      }
      if ending.replacesFailures { try writer.replaceFailures(ending.toRetry) }
      // A run that only asked for another catalog doesn't make the folder follow it.
      if try writer.value(.catalogIdentity).map({ $0 == identity }) ?? true {
        try writer.setValue(address, for: .catalog)
      }
      // Once wanted, contents stay wanted: a run of previews only gives none of them up.
      let isFirst = try writer.value(.wantsContents) == nil
      if options.wants.contents || isFirst {
        try writer.setValue(options.wants.contents ? "yes" : "no", for: .wantsContents)
      }
    }
  }

  private func whatValidates(_ fetched: CatalogSource.Fetched) -> ListingValidators {
    let listing = fetched.listing
    return ListingValidators(
      fingerprint: fingerprint, revision: listing.header.revision?.stored,
      itemCount: listing.entries.count + listing.known.count, pages: fetched.pages)
  }
}

/// The highest revision that a catalog whose revisions are ordered was seen to have, or the date of
/// its newest state where it goes by dates.
///
/// Kept in the index and in a small file beside it, in the same form. It speaks of one catalog: a
/// folder that is made to follow another one starts anew.
package struct HighestRevision: Equatable, Sendable {
  var number: Int64
  /// The digest of the catalog's address, in hexadecimal digits.
  var catalog: String

  init(_ number: Int64, of catalog: String) {
    self.number = number
    self.catalog = catalog
  }

  package var text: String { "\(number) \(catalog)\n" }

  /// What stands in the place of an expiry where the state was taken last without keys.
  static let unsigned = "unsigned"

  /// What was kept; `nil` when it can't be read as one. A file that was damaged says nothing, and
  /// the other place still counts.
  package init?(text: String) {
    let parts = text.prefix { $0 != "\n" }.split(separator: " ")
    guard parts.count == 2, let number = Int64(parts[0]),
      parts[1].utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil })
    else { return nil }
    self.init(number, of: String(parts[1]))
  }
}

extension RunContext {
  /// The higher of what the two places keep of the catalog, by any of its digests.
  func highestRevision(in folder: MirrorFolder) async throws -> Int64? {
    let texts = [
      try await target.fileQueue.run { try folder.readRevision() },
      try await target.index?.read { try $0.value(.highestRevision) },
    ]
    let digests = options.catalogDigests
    return texts.compactMap { $0.flatMap(HighestRevision.init(text:)) }
      .filter { digests.contains($0.catalog) }.map(\.number).max()
  }

  /// Keeps a revision that was taken for true: first beside the index, so that no crash leaves it
  /// in the index alone.
  func keep(_ revision: HighestRevision) async throws {
    let (folder, isDurable, text) = (session.folder, isDurable, revision.text)
    try await session.fileQueue.run {
      guard try folder.readRevision() != text else { return }
      try folder.writeRevision(text, durably: isDurable)
    }
    guard try await session.index.read({ try $0.value(.highestRevision) }) != text else { return }
    try await session.index.write { try $0.setValue(text, for: .highestRevision) }
  }
}

/// What a run remembers of directories that can't be read, so that the next one tells them without
/// ending as if something had gone wrong.
struct UnreadableSet: Sendable {
  /// As many as there may be, they aren't all kept for this.
  private let digest: String?
  /// The first of them with their reasons, for people.
  private let list: String?
  /// Their URLs; `nil` where they are too many to be kept.
  private let urls: Set<String>?

  private static let mostListed = 1_000

  init(_ directories: [UnreadableDirectory]) {
    guard !directories.isEmpty else {
      (digest, list, urls) = (nil, nil, [])
      return
    }
    // Neither a URL nor a sentence holds a tab or a line break.
    list = directories.prefix(Self.mostListed)
      .map { "\($0.url)\t\(AdvisedText($0.reason, $0.advice).kept)" }.joined(separator: "\n")
    urls = directories.count <= Self.mostListed ? Set(directories.map(\.url)) : nil
    var hasher = SHA256Hasher()
    for prefix in directories.map({ CatalogKey(bytes: $0.prefix) }).sorted() {
      // No path holds a NUL.
      (prefix.bytes + [0]).withUnsafeBytes { hasher.update($0) }
    }
    digest = hasher.finish().description
  }

  /// Remembers the set.
  ///
  /// - Returns: whether it is news: there is one that the last run didn't have. Fewer are none, as
  ///   where one was left out as its reason says.
  func remember(in index: MirrorIndex) async throws -> Bool {
    let before = try await known(to: index)
    guard digest != before.digest else { return false }
    try await index.write { writer in
      try writer.setValue(digest, for: .unreadableDirectories)
      try writer.setValue(list, for: .unreadableList)
    }
    return isNews(after: before)
  }

  private func isNews(after before: (digest: String?, list: String?)) -> Bool {
    guard digest != nil, digest != before.digest else { return false }
    let known = Set(Self.named(in: before.list).compactMap(\.key))
    return !(urls?.isSubset(of: known) ?? false)
  }

  /// Those that the last run couldn't read, from the list that it left.
  static func named(in list: String?) -> [MirrorReport.Failure] {
    (list ?? "").split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      let text = AdvisedText(kept: parts.count > 1 ? parts[1] : "")
      return MirrorReport.Failure(key: parts[0], sentence: text.sentence, advice: text.advice)
    }
  }

  /// Whether it would be news; `nil` for no index.
  func isNews(to index: MirrorIndex?) async throws -> Bool {
    guard let index else { return digest != nil }
    return isNews(after: try await known(to: index))
  }

  private func known(to index: MirrorIndex) async throws -> (digest: String?, list: String?) {
    try await index.read {
      (try $0.value(.unreadableDirectories), try $0.value(.unreadableList))
    }
  }
}

/// What a run remembers of why nothing could be removed, so that the next one needn't tell it
/// again: some lists can never say that they are whole.
struct PartialNews {
  private let text: String?

  init(_ reasons: [PartialReason]) {
    text = reasons.isEmpty ? nil : reasons.map(\.description).joined(separator: "\n")
  }

  /// Remembers the reasons.
  ///
  /// - Returns: whether they are news: there are some, and other ones than in the last run.
  func remember(in index: MirrorIndex) async throws -> Bool {
    guard text != (try await index.read { try $0.value(.partialReasons) }) else { return false }
    try await index.write { try $0.setValue(text, for: .partialReasons) }
    return text != nil
  }
}
