import SyncEssentials
import SyncFiles

/// Copies a database that ships with an app to its place, once: under another name first, then
/// renamed, so that it is there as a whole or not at all, also after a power cut.
struct ShippedCopy {
  private let source: String
  private let directory: String
  private let name: String
  private let fileSystem: any FileSystem

  init(of source: String, to path: String, in fileSystem: any FileSystem = SystemFileSystem()) {
    self.source = source
    self.fileSystem = fileSystem
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    directory = slash.map { String(path[...$0]) } ?? "."
    name = String(slash.map { path[path.utf8.index(after: $0)...] } ?? path[...])
  }

  /// Does nothing where something is in its place.
  func make() throws {
    if let fault = fault() { throw RecordError.opening(.shippedCopy(of: source, fault)) }
  }

  private func fault() -> RecordError.CopyFault? {
    do throws(Errno) {
      let place = try Descriptor.open(
        userPath: directory, [.reading, .directory], in: fileSystem)
      return try place.status(of: bytes(name)) == nil ? try copy(to: place) : nil
    } catch {
      return .failed(error.text)
    }
  }

  private func copy(to place: Descriptor) throws(Errno) -> RecordError.CopyFault? {
    let file = try Descriptor.open(userPath: source, .reading, in: fileSystem)
    guard try file.readStart(limit: 16) == bytes("SQLite format 3\0") else { return .noDatabase }
    for suffix in ["-wal", "-journal"] where isFilled(source + suffix) {
      return .notClosed(source + suffix)
    }
    let aside = bytes(".\(name).\(UUID().uuidString).new")
    let copy = try place.open(
      name: aside, [.writing, .creating, .exclusively], mode: 0o666)
    do throws(Errno) {
      try copy.write(all: file)
      try copy.flush()
      if let log = try strayLog(in: place) {
        try place.unlink(aside)
        return .strayLog(log)
      }
      try place.rename(aside, to: place, bytes(name), .intoEmptyPlace)
    } catch {
      try? place.unlink(aside)
      // Somebody else was faster, and made the same.
      guard error == .exists else { throw error }
    }
    try place.flush()
    return nil
  }

  /// What a database left that was here once, unless there is one now.
  private func strayLog(in place: Descriptor) throws(Errno) -> String? {
    for suffix in ["-wal", "-journal"] {
      let size = try place.status(of: bytes(name + suffix))?.size ?? 0
      if size > 0, try place.status(of: bytes(name)) == nil { return name + suffix }
    }
    return nil
  }

  private func isFilled(_ path: String) -> Bool {
    let file = try? Descriptor.open(userPath: path, .reading, in: fileSystem)
    return ((try? file?.status().size) ?? 0) > 0
  }

  private func bytes(_ name: String) -> [UInt8] { Array(name.utf8) }
}

extension Descriptor {
  /// Writes all that another file holds from its place on.
  func write(all source: Descriptor) throws(Errno) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try fileSystem.read(source.raw, into: buffer), count > 0 {
      try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
