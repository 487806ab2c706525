import SyncLock
import SyncTransport
import TestSupport
import TransportTesting

@testable import CatalogMirror
@testable import SyncText

/// Packs as a test publishes them, and what their server does with them.
struct PackShelf: Sendable {
  static let directory = RunTestCase.catalogURL + ".packs/"

  /// What the server does to a request for a pack, beside giving what is asked for.
  enum Manner: Sendable {
    case honest
    /// It knows no parts.
    case whole
    /// It says that it sends another part than it was asked for.
    case shifted
    case coded
    case gone
    /// Its answers break off after so many bytes, the first times.
    case cut(after: Int, times: Int)
    /// The first breaks off, and then the pack is gone.
    case cutThenGone(after: Int)
    /// It says that nothing has changed.
    case unmodified
    /// It has other bytes of the same length.
    case replaced
    /// More bytes come than it says.
    case longer
  }

  /// Numbered from 1.
  private(set) var bodies: [[UInt8]] = []

  /// Puts these into packs of so many files, with so many bytes between two of them.
  static func packing(
    _ things: [Thing], each count: Int = 1_000, gap: Int = 0
  ) -> (shelf: PackShelf, things: [Thing]) {
    var shelf = PackShelf()
    var packed = things
    for place in packed.indices {
      if place.isMultiple(of: count) { shelf.bodies.append([]) }
      packed[place].pack = shelf.end
      shelf.add(Array(packed[place].text.utf8) + Array(repeating: 0x2D, count: gap))
    }
    guard packed.contains(where: { $0.preview != nil }) else { return (shelf, packed) }
    shelf.bodies.append([])
    for place in packed.indices {
      guard let text = packed[place].preview?.text else { continue }
      packed[place].preview?.pack = shelf.end
      shelf.add(Array(text.utf8))
    }
    return (shelf, packed)
  }

  private var end: [Int] { [bodies.count, bodies[bodies.count - 1].count] }

  private mutating func add(_ bytes: [UInt8]) { bodies[bodies.count - 1] += bytes }

  /// The members of the header.
  var header: String {
    let packs = bodies.enumerated().map { number, body in
      "[\(number + 1),\(body.count),\"\(SHA256Digest(of: body))\"]"
    }
    let list = packs.joined(separator: ",")
    return ",\"packs\":[\(list)],\"packsAt\":\"catalog.ndjson.packs/\""
  }

  /// Answers for the packs.
  func responder(_ manner: Manner = .honest) -> Site.Responder {
    let bodies = Dictionary(
      bodies.map { (Self.directory + SHA256Digest(of: $0).description, $0) }
    ) { $1 }
    let served = Locked(0)
    return { request in
      guard request.address.text.hasPrefix(Self.directory) else { return nil }
      guard let body = bodies[request.address.text] else { return .status(404) }
      let number = served.withLock { count in
        count += 1
        return count
      }
      return Self.answer(body, to: request, manner, number)
    }
  }

  private static func answer(
    _ right: [UInt8], to request: HTTPRequest, _ manner: Manner, _ number: Int
  ) -> Site.Answer {
    var body = right
    var range = request.headers["Range"].flatMap(Self.range)
    switch manner {
    case .honest, .shifted, .longer: break
    case .whole: range = nil
    case .coded:
      return Site.Answer(
        headers: HTTPHeaders([("Content-Encoding", "gzip")]), body: body)
    case .gone: return .status(404)
    case .unmodified: return .status(304)
    case .cutThenGone(let count):
      if number > 1 { return .status(404) }
      return Self.answer(right, to: request, .cut(after: count, times: 1), number)
    case .replaced: body = body.map { $0 ^ 1 }
    case .cut(let count, let times):
      var answer = part(of: body, range)
      guard number <= times else { return answer }
      answer.body = Array(answer.body.prefix(count))
      answer.framing = .length(Int64(range?.count ?? right.count))
      answer.breakage = .interrupted
      return answer
    }
    let isShifted = if case .shifted = manner { true } else { false }
    var answer = part(of: body, range, shiftedBy: isShifted ? 1 : 0)
    if case .longer = manner {
      answer.framing = .chunked
      answer.body += Array(repeating: 0x2B, count: 100_000)
    }
    return answer
  }

  private static func part(
    of body: [UInt8], _ range: ClosedRange<Int>?, shiftedBy shift: Int = 0
  ) -> Site.Answer {
    guard let range else { return Site.Answer(body: body) }
    let (first, last) = (range.lowerBound + shift, range.upperBound + shift)
    return Site.Answer(
      status: 206,
      headers: HTTPHeaders([("Content-Range", "bytes \(first)-\(last)/\(body.count)")]),
      body: Array(body[range]))
  }

  private static func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    return ends.count == 2 ? ends[0]...ends[1] : nil
  }
}

extension RunTestCase {
  /// Publishes things with their packs.
  func servePacked(
    _ things: [Thing], each count: Int = 1_000, gap: Int = 0, header: String = "",
    etag: String? = nil, isComplete: Bool = true, _ manner: PackShelf.Manner = .honest
  ) throws {
    let (shelf, packed) = PackShelf.packing(things, each: count, gap: gap)
    try serve(packed, isComplete: isComplete, header: header + shelf.header, etag: etag)
    site.respond(shelf.responder(manner))
    site.forgetLog()
  }

  /// Of the requests, those for packs; the range of each, or "all".
  var askedOfPacks: [String] {
    site.log.filter { $0.address.text.hasPrefix(PackShelf.directory) }
      .map { $0.headers["Range"] ?? "all" }
  }

  /// The others, without the catalog's.
  var askedByThemselves: [String] {
    site.log.map(\.address.text)
      .filter { !$0.hasPrefix(PackShelf.directory) && $0 != Self.catalogURL }
      .map { String($0.dropFirst(Self.root.count)) }.sorted()
  }
}
