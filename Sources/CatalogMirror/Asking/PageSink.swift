import SyncFetching
import SyncLock
import SyncText
import SyncTransport

/// Collects and hashes one page, unpacked where it is a packed file, and without the lines that are
/// known.
final class PageSink: ByteSink {
  struct Page: Sendable {
    var rest: LineSieve.Rest
    var sent: SHA256Digest
  }

  private struct State {
    var url = ""
    var sent = 0
    var count = 0
    var sieve = LineSieve({ .none }, opened: { _ in nil })
    var unpacking: Unpacking?
  }

  private let allowance: ByteAllowance
  private let packing: CatalogRequest.Packing?
  private let size: Int64?
  private let makeSieve: @Sendable (ByteAnswer) -> LineSieve
  private let state = Locked(State())

  /// A sink for one page.
  ///
  /// - Parameters:
  ///   - allowance: What all pages may still take, unpacked.
  ///   - packing: How the page is packed, as a file.
  ///   - size: How many bytes are sent, where that is known.
  ///   - sieve: Makes what takes out the lines that are known, each time that a body begins.
  init(
    _ allowance: ByteAllowance, packing: CatalogRequest.Packing? = nil, size: Int64? = nil,
    sieve: @escaping @Sendable (ByteAnswer) -> LineSieve
  ) {
    self.allowance = allowance
    (self.packing, self.size) = (packing, size)
    makeSieve = sieve
  }

  func begin(_ answer: ByteAnswer) throws {
    let sieve = makeSieve(answer)
    state.withLock { state in
      allowance.giveBack(state.count)
      state = State(url: URLReference(answer.url)?.redacted ?? "", sieve: sieve)
      state.unpacking = packing.map(Unpacking.init)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try working { state in
      state.sent += bytes.count
      // Packed bytes needn't give any others, so that these alone don't end what is endless.
      if let size, state.sent > size {
        throw CatalogError.pagesDisagree(url: state.url, about: .size)
      }
      guard state.sent <= allowance.limit else { throw pastLimit(state) }
      guard let unpacking = state.unpacking else { return try take(bytes, &state) }
      unpacking.hasher.update(bytes)
      try unpack(at: state.url) { try unpacking.feed(bytes) { try take($0, &state) } }
    }
  }

  private func unpack(at url: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch FramingProblem.damagedGzip {
      throw Self.error(.badPack, url)
    } catch let problem as UnpackingProblem {
      switch problem {
      case .damaged: throw Self.error(.badPack, url)
      case .unread: throw Self.error(.foreignPack, url)
      case .memory:
        throw CatalogError.limit(url: url, .unpackingBytes, most: UnpackingProblem.mostMemory)
      }
    }
  }

  /// Works on the state without the lock: what a sieve asks for waits for the index, and tells
  /// others that it was asked.
  private func working<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
    var state = self.state.withLock { state in
      defer { state = State() }
      return state
    }
    defer { self.state.withLock { [state] in $0 = state } }
    return try body(&state)
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws {
    guard allowance.take(bytes.count) else { throw pastLimit(state) }
    state.count += bytes.count
    try state.sieve.take(bytes)
  }

  private func pastLimit(_ state: State) -> CatalogError {
    .limit(url: state.url, .bytes, most: allowance.limit)
  }

  /// What came; nothing is left after that.
  /// - Throws: ``CatalogError`` for one of another size, or a packed file that doesn't come to its
  ///   end.
  func take() throws -> Page {
    try working { state in
      defer { state = State() }
      guard size.map({ $0 == state.sent }) ?? true else {
        throw CatalogError.pagesDisagree(url: state.url, about: .size)
      }
      guard let unpacking = state.unpacking else {
        let rest = try state.sieve.finish()
        return Page(rest: rest, sent: rest.digest)
      }
      let url = state.url
      try unpack(at: url) { try unpacking.finish { try take($0, &state) } }
      guard unpacking.isAtEnd else { throw Self.error(.cutPack, url) }
      return Page(rest: try state.sieve.finish(), sent: unpacking.digest)
    }
  }

  private static func error(_ found: CatalogError.Finding, _ url: String) -> CatalogError {
    .unreadable(url: url, expected: .packed, found: found)
  }
}

/// Unpacks a file, and hashes it as it was sent.
private final class Unpacking: @unchecked Sendable {  // one user at a time, as its sink has
  private enum Decoder {
    case gzip(GzipDecoder)
    case xz(XZDecoder)
  }

  private let decoder: Decoder
  var hasher = SHA256Hasher()

  init(_ packing: CatalogRequest.Packing) {
    switch packing {
    case .gzip: decoder = .gzip(GzipDecoder())
    case .xz: decoder = .xz(XZDecoder())
    }
  }

  var isAtEnd: Bool {
    switch decoder {
    case .gzip(let decoder): decoder.isAtEnd
    case .xz(let decoder): decoder.isAtEnd
    }
  }

  func feed(
    _ bytes: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    switch decoder {
    case .gzip(let decoder): try decoder.feed(bytes, deliver: deliver)
    case .xz(let decoder): try decoder.feed(bytes, deliver: deliver)
    }
  }

  /// No more bytes come.
  func finish(deliver: (UnsafeRawBufferPointer) throws -> Void) throws {
    if case .xz(let decoder) = decoder { try decoder.finish(deliver: deliver) }
  }

  /// The digest of what was fed; asked for once.
  var digest: SHA256Digest {
    var ended = SHA256Hasher()
    swap(&hasher, &ended)
    return ended.finish()
  }
}

/// What all pages of a listing may still take: pages without end must not fill the memory, however
/// small each of them is.
final class ByteAllowance: Sendable {
  let limit: Int
  private let left: Locked<Int>

  init(_ limit: Int) {
    self.limit = limit
    left = Locked(limit)
  }

  /// Takes so many, or none where there aren't so many left.
  func take(_ count: Int) -> Bool {
    left.withLock { left in
      guard count <= left else { return false }
      left -= count
      return true
    }
  }

  /// Gives back what was taken for a body that starts over.
  func giveBack(_ count: Int) {
    left.withLock { $0 += count }
  }
}

/// The lines that are known, looked up for the first body that they are of use for.
final class KnownOnce: Sendable {
  private let find: @Sendable () throws -> KnownLines
  private let found = Locked<KnownLines?>(nil)

  init(_ find: @escaping @Sendable () throws -> KnownLines) {
    self.find = find
  }

  func lines() throws -> KnownLines {
    if let known = found.withLock({ $0 }) { return known }
    // Not behind the lock: it waits for the index. Of two that look at once, each finds the same.
    let lines = try find()
    found.withLock { $0 = lines }
    return lines
  }
}
