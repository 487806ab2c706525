import SynchronizerTesting

/// Texts in memory.
struct MemoryFixture: ProcessorFixture {
  let source = TextSource()
  let store = TextStore()
  let manner: Manner
  /// Whether the source misbehaves when told to.
  var isInterceptible = true

  func makeProcessor() -> MemoryProcessor {
    MemoryProcessor(source: source, store: store, manner: manner)
  }

  func setSource(_ contents: [String: String]) { source.set(contents) }

  func localState() -> [String: String] { store.texts }

  func setInterception(_ interception: SourceInterception<String>?) -> Bool {
    if isInterceptible { source.intercept(interception) }
    return isInterceptible
  }
}

/// Texts in a folder of files.
struct FolderFixture: ProcessorFixture {
  let source = TextSource()
  let folder: TextFolder
  var writesInPlace = false

  func makeProcessor() -> FolderProcessor {
    FolderProcessor(source: source, folder: folder, writesInPlace: writesInPlace)
  }

  func setSource(_ contents: [String: String]) { source.set(contents) }

  func localState() throws -> [String: String] { try folder.texts() }

  func setInterception(_ interception: SourceInterception<String>?) -> Bool {
    source.intercept(interception)
    return true
  }

  func tearDown() { folder.remove() }
}

/// Texts in a folder of files of which only a checksum can be looked at, as with a processor that
/// keeps what it decoded and not what came.
struct ChecksumFixture: ProcessorFixture {
  let inner: FolderFixture
  /// Whether the fixture says what a checksum belongs to.
  var explainsItself = true

  func makeProcessor() -> FolderProcessor { inner.makeProcessor() }

  func setSource(_ contents: [String: String]) { inner.setSource(contents) }

  func localState() throws -> [String: String] { try inner.localState().mapValues(Self.checksum) }

  func fingerprint(of content: String) -> String {
    explainsItself ? Self.checksum(content) : content
  }

  func setInterception(_ interception: SourceInterception<String>?) -> Bool {
    inner.setInterception(interception)
  }

  func tearDown() { inner.tearDown() }

  /// Adler-32 (RFC 1950, section 8.2).
  private static func checksum(_ text: String) -> String {
    let sums = text.utf8.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    return "Adler-32 \(sums.1 << 16 | sums.0)"
  }
}
