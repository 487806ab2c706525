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
    var count = 0
    var sieve = LineSieve({ .none }, opened: { _ in nil })
    var unpacking: Unpacking?
  }

  private let allowance: ByteAllowance
  private let isPacked: Bool
  private let makeSieve: @Sendable (ByteAnswer) -> LineSieve
  private let state = Locked(State())

  /// A sink for one page.
  ///
  /// - Parameters:
  ///   - allowance: What all pages may still take, unpacked.
  ///   - isPacked: Whether the page is a file in gzip.
  ///   - sieve: Makes what takes out the lines that are known, each time that a body begins.
  init(
    _ allowance: ByteAllowance, isPacked: Bool = false,
    sieve: @escaping @Sendable (ByteAnswer) -> LineSieve
  ) {
    self.allowance = allowance
    self.isPacked = isPacked
    makeSieve = sieve
  }

  func begin(_ answer: ByteAnswer) throws {
    let sieve = makeSieve(answer)
    state.withLock { state in
      allowance.giveBack(state.count)
      state = State(url: URLReference(answer.url)?.redacted ?? "", sieve: sieve)
      if isPacked { state.unpacking = Unpacking() }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try working { state in
      guard let unpacking = state.unpacking else { return try take(bytes, &state) }
      unpacking.hasher.update(bytes)
      do {
        try unpacking.decoder.feed(bytes) { try take($0, &state) }
      } catch FramingProblem.damagedGzip {
        throw Self.error(.badPack, state.url)
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
    guard allowance.take(bytes.count) else {
      throw CatalogError.limit(url: state.url, .bytes, most: allowance.limit)
    }
    state.count += bytes.count
    try state.sieve.take(bytes)
  }

  /// What came; nothing is left after that.
  /// - Throws: ``CatalogError`` for a packed file that doesn't come to its end.
  func take() throws -> Page {
    try working { state in
      defer { state = State() }
      let rest = try state.sieve.finish()
      guard let unpacking = state.unpacking else { return Page(rest: rest, sent: rest.digest) }
      guard unpacking.decoder.isAtEnd else { throw Self.error(.cutPack, state.url) }
      return Page(rest: rest, sent: unpacking.digest)
    }
  }

  private static func error(_ found: CatalogError.Finding, _ url: String) -> CatalogError {
    .unreadable(url: url, expected: .packed, found: found)
  }
}

/// Unpacks a file, and hashes it as it was sent.
private final class Unpacking: @unchecked Sendable {  // one user at a time, as its sink has
  let decoder = GzipDecoder()
  var hasher = SHA256Hasher()

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
