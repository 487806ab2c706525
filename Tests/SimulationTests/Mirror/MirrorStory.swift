import SyncLock
import SyncTransport
import TestSupport

@testable import CatalogMirror
@testable import SyncText
@testable import SyncFiles

/// The life of one mirrored folder: catalogs that change, a user who works in the folder, runs that
/// fail, are cancelled or die; and after each, a look at what must be true whatever happened.
final class MirrorStory: Sendable {
  static let folder = "/home/copy"

  let world: World
  let web: ModelWeb
  let disk: ModelDisk
  let notes = Locked(UserNotes())
  /// Whether the tree changed since it was looked at last.
  let isStale = Locked(false)
  let isUserAtWork = Locked(false)
  /// What comes last in the run under way.
  let order = Locked<Order?>(nil)
  /// How many runs there were; a minute passes between them at least.
  let runs = Locked(0)
  private let outside: [String: ModelDisk.Thing]

  init(_ world: World) {
    self.world = world
    web = ModelWeb(world)
    disk = ModelDisk()
    try? disk.put(.text("canary"), at: "/home/beside/bird")
    try? disk.put(.directory, at: Self.folder)
    disk.settle()
    outside = disk.tree().filter { !$0.key.hasPrefix("home/copy/") }
  }

  /// The whole story.
  func run() {
    world.executor.run { [self] in
      for _ in 0..<world.number(2...6) where world.isWell {
        if !world.oneIn(4) { changeCatalog() }
        if !world.oneIn(3) { workInTheFolder() }
        await run(world.draw { RunPlan(&$0) })
        if world.isWell, world.oneIn(4) { await converge() }
      }
      if world.isWell { await converge() }
      if world.isWell, world.oneIn(3) { await repairFlippedBits() }
    }
  }

  func changeCatalog() {
    world.draw { random in web.state.withLock { $0.publication.change(&random) } }
  }

  /// The bytes of all files of the folder, by path.
  func files() -> [String: [UInt8]] {
    disk.tree(below: Self.folder).compactMapValues { thing in
      if case .file(let bytes) = thing { bytes } else { nil }
    }
  }

  /// What must be true at every moment: no file of the tree is anything but whole.
  func checkTree() {
    let (served, mine) = (
      web.state.withLock { $0.publication.served }, notes.withLock { $0.mine }
    )
    for (path, bytes) in files().sorted(by: { $0.key < $1.key })
    where !path.hasPrefix(".mirror/") && mine[path] != bytes {
      let isWhole = served[path]?[SHA256Digest(of: bytes)] != nil
      world.expect(isWhole, "\(path) holds \(bytes.count) bytes that nobody gave it")
    }
    checkOrder()
  }

  /// What must be true outside of the folder: everything is as it was.
  func checkOutside() {
    let now = disk.tree().filter { !$0.key.hasPrefix("home/copy/") }
    world.expect(now == outside, "something outside of the folder changed")
  }
}

/// The user.
extension MirrorStory {
  /// Edits, removes, touches and adds some files.
  func workInTheFolder() {
    // The user's own disk calls are none of the run's: nothing fails, nothing is counted.
    isUserAtWork.withLock { $0 = true }
    defer { isUserAtWork.withLock { $0 = false } }
    let capacity = disk.capacity
    disk.capacity = 1 << 40
    defer { disk.capacity = capacity }
    let paths = Publication.keys + ["own", "c/own", "m/own/note"]
    for path in paths where world.oneIn(10) {
      let there = disk.tree(below: Self.folder)[path]
      switch (world.number(0...3), there) {
      case (0, .some):
        try? disk.remove(place(path))
        notes.withLock { $0.removed(path) }
      case (1, .file(let bytes)):
        try? disk.put(.file(bytes), at: place(path))
        notes.withLock { $0.touched(path) }
      case (2, .directory), (3, .directory), (_, .link): continue
      default: write(path)
      }
      world.note("the user is at work at \(path)")
      makeDurable(path)
    }
  }

  private func write(_ path: String) {
    let bytes = world.draw { random in
      web.state.withLock { $0.publication.bytes("mine", &random) }
    }
    var above = path
    let tree = disk.tree(below: Self.folder)
    while let slash = above.lastIndex(of: "/") {
      above = String(above[..<slash])
      if case .file = tree[above] {
        try? disk.remove(place(above))
        notes.withLock { $0.removed(above) }
      }
    }
    guard (try? disk.put(.file(bytes), at: place(path))) != nil else { return }
    notes.withLock { $0.wrote(bytes, at: path) }
  }

  /// The user's editor saves with care: what it wrote outlives a power cut.
  private func makeDurable(_ path: String) {
    let fileSystem = disk.fileSystem
    var here = place(path)
    while !here.isEmpty {
      if let open = try? fileSystem.open(userPath: here, .reading) {
        try? fileSystem.flush(open)
        fileSystem.close(open)
      }
      here = String(here[..<(here.lastIndex(of: "/") ?? here.startIndex)])
    }
    if let root = try? fileSystem.open(userPath: "/", .reading) {
      try? fileSystem.flush(root)
      fileSystem.close(root)
    }
  }

  private func place(_ path: String) -> String { Self.folder + "/" + path }
}
