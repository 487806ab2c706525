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
