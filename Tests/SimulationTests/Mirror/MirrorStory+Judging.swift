import SyncDatabase
import SyncLock

@testable import CatalogMirror
@testable import SyncText

/// What must be true after a run, however it ended.
extension MirrorStory {
  func check(after plan: RunPlan, held before: Set<String>, isDead: Bool) async {
    checkTree()
    checkOutside()
    let files = files()
    checkUser(files)
    let rows = await rows()
    checkIndex(rows, files, mayLag: isDead || plan.mayFailToRecord)
    let user = notes.withLock { $0 }
    let untouched = before.filter { !user.isTouched($0) }
    checkRemovals(plan, untouched, files, of: user.known)
    let known = await knownKeys().union(rows.keys).count
    notes.withLock { notes in
      notes.known = known
      // One whose removal a crash cut short is the next run's to finish or to undo.
      notes.held = Set(rows.filter { $0.value.content != nil && $0.value.state == .present }.keys)
      for (path, bytes) in files
      where !path.hasPrefix(".mirror/") && notes.isTouched(path) && rows[path]?.content == nil {
        notes.strangers[path] = bytes
      }
    }
    checkAside(files)
  }

  /// Nothing that happens here damages an index.
  private func checkAside(_ files: [String: [UInt8]]) {
    let aside = files.keys.filter { $0.hasPrefix(".mirror/index-damaged-") }
    world.expect(aside.isEmpty, "the index was set aside as \(aside.sorted())")
  }

  /// What the user wrote is in its place or among the displaced files; after a crash it may lie in
  /// the staging area, from where the next run takes it.
  private func checkUser(_ files: [String: [UInt8]]) {
    var aside: Set<SHA256Digest> = []
    var swapped: Set<SHA256Digest> = []
    for (path, bytes) in files {
      if path.hasPrefix(".mirror/displaced/") { aside.insert(SHA256Digest(of: bytes)) }
      if path.hasPrefix(".mirror/staging/swap-") { swapped.insert(SHA256Digest(of: bytes)) }
    }
    let problems = notes.withLock { notes -> [String] in
      var problems: [String] = []
      for (path, bytes) in notes.mine where files[path] != bytes {
        let digest = SHA256Digest(of: bytes)
        if !aside.contains(digest) && !swapped.contains(digest) {
          problems.append("what the user wrote at \(path) is lost")
        }
      }
      // What a power cut takes back from there is where it was before.
      let everywhere = aside.union(files.values.map { SHA256Digest(of: $0) })
      if !notes.displaced.isSubset(of: everywhere) { problems.append("a displaced file is lost") }
      notes.displaced = aside
      return problems
    }
    for problem in problems.sorted() { world.fail(problem) }
  }

  /// The index claims nothing that isn't there. It may lag behind where a run couldn't record what
  /// it had placed, never be ahead.
  private func checkIndex(
    _ rows: [String: IndexedItem], _ files: [String: [UInt8]], mayLag: Bool
  ) {
    let user = notes.withLock { $0 }
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) where row.state == .present {
      if let content = row.content, !user.isTouched(key), !isTrue(content, files[key]) {
        if mayLag, isNewer(files[key], than: content, of: key) {
          notes.withLock { $0.touched(key) }
        } else {
          let count = files[key]?.count ?? -1
          world.fail("the index claims \(content.size) bytes of \(key); there are \(count)")
        }
      }
      if let preview = row.preview { check(preview, of: key, files, mayLag: mayLag) }
    }
  }

  private func check(
    _ preview: IndexedPreview, of key: String, _ files: [String: [UInt8]], mayLag: Bool
  ) {
    let there = files[".mirror/previews/" + preview.name].map { SHA256Digest(of: $0) }
    let isLagging = notes.withLock { $0.newerPreviews.contains(key) }
    let claimed = preview.sha256
    guard there != claimed, !isLagging else { return }
    let served = web.state.withLock { $0.publication.servedPreviews[key] ?? [:] }
    if mayLag, let new = there.flatMap({ served[$0] }), let old = served[claimed], new > old {
      notes.withLock { _ = $0.newerPreviews.insert(key) }
    } else {
      world.fail("the index claims another preview of \(key) than there is")
    }
  }

  private func isTrue(_ content: IndexedContent, _ bytes: [UInt8]?) -> Bool {
    guard let bytes, Int64(bytes.count) == content.size else { return false }
    return content.sha256.map { $0 == SHA256Digest(of: bytes) } ?? true
  }

  private func isNewer(_ bytes: [UInt8]?, than content: IndexedContent, of key: String) -> Bool {
    let served = web.state.withLock { $0.publication.served[key] ?? [:] }
    guard let bytes, let there = served[SHA256Digest(of: bytes)],
      let claimed = content.sha256.flatMap({ served[$0] })
    else { return false }
    return there > claimed
  }

  /// What the index had recorded is still there, unless it might be removed.
  private func checkRemovals(
    _ plan: RunPlan, _ held: Set<String>, _ files: [String: [UInt8]], of count: Int
  ) {
    let listed = Set(web.state.withLock { $0.publication.items.keys })
    let gone = held.filter { files[$0] == nil }
    let lost = gone.subtracting(plan.removable(of: held, listed: listed))
    let published = lost.intersection(listed).sorted()
    world.expect(published.isEmpty, "\(published) are gone, and are published")
    let doubted = lost.subtracting(listed).sorted()
    world.expect(
      doubted.isEmpty, "\(doubted) are gone on the word of a list that isn't to be trusted")
    world.expect(
      plan.allows(gone.count, of: count), "\(gone.count) of \(count) are gone, over the limit")
  }

  /// The index's rows by key, as another program would see them.
  func rows() async -> [String: IndexedItem] {
    await readIndex([:]) { reader in
      var rows: [String: IndexedItem] = [:]
      try reader.forEachItem { rows[$0.key.description] = $0 }
      return rows
    }
  }

  /// The keys of files that may have been placed and aren't recorded.
  private func knownKeys() async -> Set<String> {
    await readIndex([]) { Set(try $0.unfinishedPlacements().map(\.key.description)) }
  }

  private func readIndex<Found: Sendable>(
    _ nothing: Found, _ read: @Sendable (IndexReader) throws -> Found
  ) async -> Found {
    let path = Self.folder + "/.mirror/index.sqlite"
    guard files()[".mirror/index.sqlite"] != nil else { return nothing }
    let vfs = ModelVFS(disk.fileSystem)
    do {
      let index = try await MirrorIndex.open(
        path: path, access: .readOnly, busyTimeout: .zero, vfs: vfs.name,
        executor: SeededSerialExecutor(world.executor))
      let found = try await index.read(read)
      await index.close()
      return found
    } catch {
      world.fail("the index can't be read: \(error)")
      return nothing
    }
  }

  /// Without trouble one run makes the folder equal to the catalog, and one more does nothing.
  func converge() async {
    if web.state.withLock({ $0.publication.items.isEmpty }) { changeCatalog() }
    let report = await run(.clean)
    world.expect(
      report?.outcome == .done,
      "a run without trouble ended with \(report.map { "\($0.outcome): \($0.failures)" } ?? "nothing")"
    )
    notes.withLock { ($0.touched, $0.newerPreviews) = ([], []) }
    let files = files()
    checkEquality(files)
    let again = await run(.clean)
    world.expect(again?.wasUnchanged == true, "a second run found something to do")
    world.expect(web.asked.count == 1, "a second run asked for \(web.asked)")
    let after = self.files()
    let isSame =
      files.filter { !$0.key.hasPrefix(".mirror/") }
      == after.filter { !$0.key.hasPrefix(".mirror/") }
    world.expect(isSame, "a second run changed the tree")
  }

  private func checkEquality(_ files: [String: [UInt8]]) {
    let items = web.state.withLock { $0.publication.items }
    for (key, item) in items.sorted(by: { $0.key < $1.key }) {
      world.expect(files[key] == item.bytes, "\(key) is not as published")
    }
    let (held, mine, strangers) = notes.withLock { ($0.held, $0.mine, $0.strangers) }
    let isKnown: (String, [UInt8]) -> Bool = { mine[$0] == $1 || strangers[$0] == $1 }
    world.expect(
      held == Set(items.keys), "the index holds \(held.sorted()), not \(items.keys.sorted())")
    for (path, bytes) in files.sorted(by: { $0.key < $1.key })
    where !path.hasPrefix(".mirror/") && items[path] == nil {
      world.expect(isKnown(path, bytes), "\(path) is neither published nor the user's")
    }
    for path in files.keys where path.hasPrefix(".mirror/staging/") {
      world.fail("\(path) is left behind")
    }
    let previews = files.filter { $0.key.hasPrefix(".mirror/previews/") }.values
      .map { SHA256Digest(of: $0).description }
    let wanted = items.values.compactMap(\.preview).map { SHA256Digest(of: $0.bytes).description }
    world.expect(previews.sorted() == wanted.sorted(), "other previews than are published")
  }
}
