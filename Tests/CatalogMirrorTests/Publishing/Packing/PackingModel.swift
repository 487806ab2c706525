@testable import CatalogPublishing

/// A folder of small files that is published again and again: which bytes lie in which pack without
/// a disk. It writes as the publisher does, by the same policy.
struct PackingModel {
  private struct Pack {
    var size: Int64
    var live: Int64
    /// Places of the files whose bytes it holds.
    var files: Set<Int>
  }

  private var sizes: [Int]
  /// The pack of each file; `nil` for one that isn't packed.
  private var places: [UInt32?]
  private var packs: [UInt32: Pack] = [:]
  private var waiting: Set<Int>
  private var next: UInt32 = 1
  /// All bytes that were ever written to packs.
  private(set) var written: Int64 = 0

  init(sizes: [Int]) {
    self.sizes = sizes
    places = Array(repeating: nil, count: sizes.count)
    waiting = Set(sizes.indices)
  }

  var count: Int { packs.count }
  var live: Int64 { packs.values.reduce(0) { $0 + $1.live } }
  /// The least share of live bytes of a pack.
  var leastShare: Double { packs.values.map { Double($0.live) / Double($0.size) }.min() ?? 1 }
  /// The live bytes of the smallest.
  var smallest: Int64? { packs.values.map(\.live).min() }
  /// What isn't packed.
  var load: PackPolicy.Load { load(of: waiting) }

  /// A file gets other bytes, so many of them.
  mutating func change(_ file: Int, to size: Int? = nil) {
    if let pack = places[file] {
      packs[pack]?.files.remove(file)
      packs[pack]?.live -= Int64(sizes[file])
    }
    places[file] = nil
    if let size { sizes[file] = size }
    waiting.insert(file)
  }

  mutating func publish() {
    let shares = packs.map { id, pack in
      PackPolicy.Pack(id: id, size: pack.size, live: pack.live, files: pack.files.count)
    }
    for id in PackPolicy.givenUp(among: shares, beside: load) {
      let files = packs.removeValue(forKey: id)?.files ?? []
      for file in files { places[file] = nil }
      waiting.formUnion(files)
    }
    guard PackPolicy.isWorthPacking(load) else { return }
    var (open, files) = (PackPolicy.Load(), [] as [Int])
    for file in waiting.sorted() {
      let size = Int64(sizes[file])
      if open.bytes + size > PackPolicy.mostBytes {
        end(files)
        (open, files) = (PackPolicy.Load(), [])
      }
      open = open + PackPolicy.Load(files: 1, bytes: size)
      files.append(file)
    }
    if PackPolicy.isWorthPacking(open) { end(files) }
  }

  private mutating func end(_ files: [Int]) {
    let size = load(of: files).bytes
    packs[next] = Pack(size: size, live: size, files: Set(files))
    for file in files { places[file] = next }
    waiting.subtract(files)
    written += size
    next += 1
  }

  private func load(of files: some Collection<Int>) -> PackPolicy.Load {
    PackPolicy.Load(files: files.count, bytes: files.reduce(0) { $0 + Int64(sizes[$1]) })
  }
}
