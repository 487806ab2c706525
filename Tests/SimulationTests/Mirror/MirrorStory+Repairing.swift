import SyncLock

@testable import CatalogMirror
@testable import SyncText

/// A disk that forgets.
extension MirrorStory {
  /// Bits flip in files of which nothing else tells, neither date nor size. Reading every byte
  /// finds these files and no others, and a repair makes them whole without asking the catalog.
  func repairFlippedBits() async {
    let whole = mirrored(files())
    let damaged = await flipBits()
    let keys = damaged.sorted()
    let found = await process { try await $0.verify() }
    world.expect(found?.isMirror == true, "the mirror can't be verified")
    let named = found?.problems.compactMap(\.key).sorted() ?? []
    world.expect(named == keys, "bits flipped in \(keys), and it says so of \(named)")
    let repair = await process { try await $0.repair() }
    world.expect(repair != nil, "the mirror can't be repaired")
    let failures = repair?.report?.failures.map(\.sentence) ?? []
    world.expect(failures.isEmpty, "a repair failed: \(failures)")
    world.expect(!web.asked.contains("catalog.ndjson"), "a repair asked for the catalog")
    world.expect(mirrored(files()) == whole, "a repair didn't make \(keys) what they were")
    let next = await run(.clean)
    world.expect(next?.wasUnchanged == true, "a run after a repair found something to do")
  }

  /// Answers the keys of the items, once for its content and once for its preview.
  private func flipBits() async -> [String] {
    var damaged: [String] = []
    for (key, row) in await rows().sorted(by: { $0.key < $1.key }) {
      let paths = [row.content.map { _ in key }, row.preview.map { ".mirror/previews/" + $0.name }]
      for path in paths.compactMap(\.self) where world.oneIn(4) {
        guard let count = files()[path]?.count else { continue }
        let bit = world.number(0...count * 8 - 1)
        do {
          try disk.flipBit(bit, of: Self.folder + "/" + path)
        } catch { world.fail("no bit flips in \(path): \(error)") }
        world.note("a bit flips in \(path)")
        damaged.append(row.key.description)
      }
    }
    return damaged
  }

  private func mirrored(_ files: [String: [UInt8]]) -> [String: [UInt8]] {
    files.filter { !$0.key.hasPrefix(".mirror/") || $0.key.hasPrefix(".mirror/previews/") }
  }

  /// What a process of its own comes to that nothing troubles; `nil` when it fails.
  private func process<Value: Sendable>(
    _ body: @escaping @Sendable (FolderMirror) async throws -> Value
  ) async -> Value? {
    var weather = RunPlan.clean.weather
    weather.width = RunPlan.clean.concurrency
    web.open(weather)
    let vfs = ModelVFS(disk.fileSystem, seed: world.seed)
    let mirror = FolderMirror(RunPlan.clean.options(folder: Self.folder), in: environment(vfs))
    let value = await Task(executorPreference: world.executor) { try? await body(mirror) }.value
    await end(false)
    withExtendedLifetime(vfs) {}
    return value
  }
}
