import SyncText

/// Which parts of which packs are asked for, so that many small files come in few requests.
///
/// Wanted neighbours are one request, with what lies between them and isn't wanted, as long as that
/// is little. A file that stands alone has none, and comes from its own address.
struct PackPlan: Equatable, Sendable {
  /// Bytes of a file, or of several files of equal bytes.
  struct Piece: Equatable, Sendable {
    let offset: UInt32
    let size: UInt32
    /// The place of its first copy among the plan's ``PackPlan/items``.
    fileprivate(set) var first: Int
    /// How many items want it: each gets a copy.
    fileprivate(set) var copies: UInt32 = 1

    var bytes: Range<Int64> { Int64(offset)..<Int64(offset) + Int64(size) }
    /// What it takes on the disk.
    var room: Int64 { Int64(size) * Int64(copies) }
  }

  struct Request: Equatable, Sendable {
    /// The place of the pack among the plan's.
    let pack: Int
    /// The places of the pieces that come with it.
    let pieces: Range<Int>
    /// The bytes that are asked for: all of the pack, or a part.
    let bytes: Range<Int64>
    /// How many of these are wanted.
    let wanted: Int64
    /// What its pieces take on the disk.
    let room: Int64
  }

  /// What is to be had from a pack.
  struct Wish: Equatable, Sendable {
    let place: PackPlace
    let size: UInt32
    /// The place of the item among those that are to be fetched.
    let item: UInt32

    /// `nil` for what is no small file, and gains nothing.
    init?(_ place: PackPlace, size: Int64, item: Int) {
      guard size > 0, size <= PackPlan.largest, let size = UInt32(exactly: size),
        let item = UInt32(exactly: item)
      else {
        return nil
      }
      (self.place, self.size, self.item) = (place, size, item)
    }
  }

  /// The largest file that comes so.
  static let largest: Int64 = 1 << 20
  /// How much may lie unwanted between two pieces of a request.
  static let widestGap: Int64 = 64 << 10
  /// How much a request asks for at most: twice as much as a pack has.
  static let longest: Int64 = 16 << 20
  /// How much the pieces of a request may take on the disk, with all copies of equal files: half of
  /// what may be staged ahead.
  static let mostRoom: Int64 = 32 << 20

  /// The packs that something is asked of, in the order of their numbers.
  private(set) var packs: [ListedPacks.Pack] = []
  /// Pack by pack, in the order in which they lie there.
  private(set) var pieces: [Piece] = []
  /// Who wants a copy, piece by piece: the places of the items among those that are to be fetched.
  private(set) var items: [UInt32] = []
  /// In the order of their pieces.
  private(set) var requests: [Request] = []
  /// The places of the requests, in the order in which the first of their items is to be fetched.
  private(set) var order: [Int] = []
  private var numbers: [UInt32] = []

  /// Nothing.
  init() {}

  /// Plans what is to be had from these packs. Of pieces that overlap, only the first comes so, and
  /// none that ends behind its pack. What would take too much room with all its copies comes so for
  /// the first that want it.
  init(_ wishes: [Wish], from listed: ListedPacks) {
    let sorted = wishes.sorted {
      ($0.place.pack, $0.place.offset, $0.size, $0.item)
        < ($1.place.pack, $1.place.offset, $1.size, $1.item)
    }
    var rest = sorted[...]
    while let number = rest.first?.place.pack {
      let own = rest.prefix { $0.place.pack == number }
      rest = rest.dropFirst(own.count)
      if let pack = listed[number] { add(own, of: pack, number) }
    }
    order = requests.indices.sorted { first(of: requests[$0]) < first(of: requests[$1]) }
  }

  var isEmpty: Bool { requests.isEmpty }

  /// How many files come so.
  var files: Int { items.count }

  /// How many requests ask for a part of a pack.
  var parts: Int { requests.count { !isWhole($0) } }

  /// How many bytes are asked for.
  var bytes: Int64 { requests.reduce(0) { $0.addingSaturated(Int64($1.bytes.count)) } }

  /// The place of the piece that begins here and has this size; `nil` where none comes.
  func piece(at place: PackPlace, size: Int64) -> Int? {
    guard let pack = numbers.place(of: place.pack, by: { $0 }) else { return nil }
    let own = pieces[pieceRanges[pack]]
    guard let found = own.place(of: place.offset, by: \.offset), Int64(pieces[found].size) == size
    else { return nil }
    return found
  }

  /// The places of the copies of a piece.
  func copies(of piece: Int) -> Range<Int> {
    pieces[piece].first..<pieces[piece].first + Int(pieces[piece].copies)
  }

  /// The place of the piece that a copy is of.
  func piece(of copy: Int) -> Int { pieces.partitioning { $0.first > copy } - 1 }

  /// Puts those who want the same piece in an order by which they can be found.
  mutating func sortCopies(by precedes: (UInt32, UInt32) -> Bool) {
    for piece in pieces.indices where pieces[piece].copies > 1 {
      items[copies(of: piece)].sort(by: precedes)
    }
  }

  /// The place of the request that a piece comes with.
  func request(of piece: Int) -> Int {
    requests.partitioning { $0.pieces.upperBound > piece }
  }

  /// The places of all requests of a pack.
  func requests(of pack: Int) -> Range<Int> {
    requests.partitioning { $0.pack >= pack }..<requests.partitioning { $0.pack > pack }
  }

  func isWhole(_ request: Request) -> Bool {
    Int64(request.bytes.count) == packs[request.pack].size
  }

  /// The pieces of each pack.
  private var pieceRanges: [Range<Int>] = []

  private func first(of request: Request) -> UInt32 {
    request.pieces.lazy.flatMap { items[copies(of: $0)] }.min() ?? .max
  }
}

/// The requests of one pack.
extension PackPlan {
  /// Neighbours that are asked for together.
  private struct Run {
    var pieces: Range<Int>
    var bytes: Range<Int64>
    var wanted: Int64
    var room: Int64

    /// Both, and what lies between them; `nil` where that is too much.
    func joined(with next: Run) -> Run? {
      let all = bytes.lowerBound..<next.bytes.upperBound
      let sum = wanted + next.wanted
      guard next.bytes.lowerBound - bytes.upperBound <= PackPlan.widestGap,
        Int64(all.count) <= PackPlan.longest, sum * 2 >= Int64(all.count),
        room + next.room <= PackPlan.mostRoom
      else { return nil }
      return Run(
        pieces: pieces.lowerBound..<next.pieces.upperBound, bytes: all, wanted: sum,
        room: room + next.room)
    }

    /// The whole pack, where little more than the run is in it: it is asked for without a range.
    func widened(to pack: Int64) -> Range<Int64> {
      let isNear =
        bytes.lowerBound <= PackPlan.widestGap && pack - bytes.upperBound <= PackPlan.widestGap
      return isNear && pack <= PackPlan.longest && wanted * 2 >= pack ? 0..<pack : bytes
    }
  }

  private mutating func add(
    _ wishes: ArraySlice<Wish>, of pack: ListedPacks.Pack, _ number: UInt32
  ) {
    let own = Self.pieces(of: wishes, within: pack.size)
    var runs: [Run] = []
    for place in own.indices {
      let bytes = own[place].bytes
      var run = Run(
        pieces: place..<place + 1, bytes: bytes, wanted: Int64(bytes.count), room: own[place].room)
      // Joined to it, one that was too thin by itself may be thick enough for the one before.
      while let last = runs.last, let joined = last.joined(with: run) {
        run = joined
        runs.removeLast()
      }
      runs.append(run)
    }
    let start = pieces.count
    for run in runs where own[run.pieces].reduce(0, { $0 + $1.copies }) > 1 {
      let first = pieces.count
      for piece in own[run.pieces] { add(piece, of: wishes) }
      requests.append(
        Request(
          pack: packs.count, pieces: first..<pieces.count, bytes: run.widened(to: pack.size),
          wanted: run.wanted, room: run.room))
    }
    guard pieces.count > start else { return }
    packs.append(pack)
    numbers.append(number)
    pieceRanges.append(start..<pieces.count)
  }

  private mutating func add(_ piece: Piece, of wishes: ArraySlice<Wish>) {
    let own = wishes[piece.first..<piece.first + Int(piece.copies)]
    pieces.append(piece)
    pieces[pieces.count - 1].first = items.count
    items += own.map(\.item)
  }

  /// The pieces within a pack; of those that overlap, the first. Their copies are the wishes for
  /// them, which follow each other.
  private static func pieces(of wishes: ArraySlice<Wish>, within size: Int64) -> [Piece] {
    var pieces: [Piece] = []
    for (place, wish) in zip(wishes.indices, wishes) {
      let piece = Piece(offset: wish.place.offset, size: wish.size, first: place)
      guard piece.bytes.upperBound <= size else { continue }
      guard let last = pieces.last, last.bytes.overlaps(piece.bytes) else {
        pieces.append(piece)
        continue
      }
      if last.bytes == piece.bytes, last.room + piece.room <= mostRoom {
        pieces[pieces.count - 1].copies += 1
      }
    }
    return pieces
  }
}
