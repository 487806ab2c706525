import SyncFiles
import SyncLock

struct FetchedPages: Sendable {
  let spool: Spool
  private(set) var pages: [Page] = []
  /// What the server says of the list, to ask whether it changed. Only of one that is one page: of
  /// several, one may be as it was while another changed.
  var validators: PageValidators?
  /// Whether elements may have slid over the ends of pages while they were fetched.
  var mayLack = false

  struct Page: Sendable, Equatable {
    /// Its address, without secrets.
    var address: String
    var range: Range<Int>
    /// Whether the server told where its body ends.
    var isFramed: Bool
    /// Whether something in its headers may have named a next page, and can't be read.
    var hasBrokenLinks: Bool
    /// Whether it has the member that is to name the next page.
    var hasNext = false
  }

  init(in spool: Spool) {
    self.spool = spool
  }

  mutating func add(_ page: Page) { pages.append(page) }

  /// Goes to the beginning: the readers of the pages are used one after the other.
  func rewind() throws(PayloadProblem) {
    try PayloadProblem.orUnreadable { () throws(Errno) in try spool.rewind() }
  }

  func reader(of page: Page, form: PayloadForm) -> PayloadReader {
    PayloadReader(from: SpooledPage(spool, page.range), form: form)
  }
}

/// What a server says of a page, to be asked later whether it is as it was (RFC 9110, section 8.8).
struct PageValidators: Sendable, Equatable {
  var etag: String?
  var lastModified: String?
}

/// Bodies that came, kept until they are read: in memory while they are short, then in a file that
/// has no name any more, so that nothing of it stays when the process ends.
///
/// Bytes are added at the end. Pages are ranges of them, which are read one after the other.
final class Spool: Sendable {
  private struct State {
    var memory: [UInt8] = []
    var file: Descriptor?
    var count = 0
    var position = 0
  }

  private let state = Locked(State())
  private let fileSystem: any FileSystem
  private let inMemory: Int

  init(in fileSystem: any FileSystem = SystemFileSystem(), inMemory: Int = 1 << 20) {
    self.fileSystem = fileSystem
    self.inMemory = inMemory
  }

  var count: Int { state.withLock { $0.count } }

  var isInFile: Bool { state.withLock { $0.file != nil } }

  /// Adds bytes. Not while it is read.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    try state.withLock { state throws(Errno) in
      state.count += bytes.count
      guard state.file != nil || state.count > inMemory else {
        state.memory += bytes
        return
      }
      if state.file == nil {
        let file = try temporaryFile()
        try file.write(state.memory)
        (state.file, state.memory) = (file, [])
      }
      try state.file?.write(bytes)
    }
  }

  func rewind() throws(Errno) {
    try state.withLock { state throws(Errno) in
      try state.file?.rewind()
      state.position = 0
    }
  }

  /// Reads from a place on; one that was passed can't be come back to but by ``rewind()``.
  func read(
    from place: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try state.withLock { state throws(Errno) in
      guard let file = state.file else {
        let piece = state.memory[place...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        return piece.count
      }
      // What was passed over is the beginning of a body that then came as a whole.
      while state.position < place {
        let part = UnsafeMutableRawBufferPointer(
          rebasing: buffer[..<min(buffer.count, place - state.position)])
        let count = try fileSystem.read(file.raw, into: part)
        guard count > 0 else { throw .inputOutput }
        state.position += count
      }
      let count = try fileSystem.read(file.raw, into: buffer)
      state.position += count
      return count
    }
  }

  private func temporaryFile() throws(Errno) -> Descriptor {
    try TemporaryPlaces.first(in: fileSystem) { _, directory throws(Errno) in
      let name = Array(TemporaryPlaces.name(of: "records").utf8)
      let file = try directory.open(
        name: name, [.writing, .creating, .exclusively], mode: 0o600)
      try directory.unlink(name)
      return file
    }
  }
}

struct SpooledPage: PayloadSource {
  private let spool: Spool
  private var place: Int
  private let end: Int

  init(_ spool: Spool, _ range: Range<Int>) {
    self.spool = spool
    place = range.lowerBound
    end = range.upperBound
  }

  /// All of a spool, which goes back to its beginning.
  init(from spool: Spool) throws(PayloadProblem) {
    try PayloadProblem.orUnreadable { () throws(Errno) in try spool.rewind() }
    self.init(spool, 0..<spool.count)
  }

  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(PayloadProblem) -> Int {
    let wanted = min(buffer.count, end - place)
    guard wanted > 0 else { return 0 }
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
    let count = try PayloadProblem.orUnreadable { () throws(Errno) in
      try spool.read(from: place, into: part)
    }
    place += count
    return count
  }
}
