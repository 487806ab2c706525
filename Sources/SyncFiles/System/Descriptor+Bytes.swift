extension Descriptor {
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try fileSystem.write(rest, to: raw)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Writes all of `bytes` so many bytes behind the start; the current place stays.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
    var (rest, place) = (bytes, offset)
    while !rest.isEmpty {
      let count = try fileSystem.write(rest, to: raw, at: place)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      place += Int64(count)
    }
  }

  package func write(_ bytes: [UInt8]) throws(Errno) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(Errno) in try write(buffer) }
    }
    try result.get()
  }

  /// Hands every byte from the current place to the end to `body`, in pieces.
  package func readAll(_ body: (UnsafeRawBufferPointer) -> Void) throws(Errno) {
    let buffer = Self.readBuffer()
    defer { buffer.deallocate() }
    while let piece = try readPiece(into: buffer) { body(piece) }
  }

  /// Hands the bytes of a range to `body`, in pieces; the current place stays.
  /// - Returns: how many there were: fewer where the file ends before.
  @discardableResult
  package func readPieces(
    of range: Range<Int64>, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int64 {
    let buffer = Self.readBuffer()
    defer { buffer.deallocate() }
    var place = range.lowerBound
    while place < range.upperBound {
      let most = min(buffer.count, Int(range.upperBound - place))
      let count = try fileSystem.read(
        raw, at: place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<most]))
      guard count > 0 else { break }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      place += Int64(count)
    }
    return place - range.lowerBound
  }

  /// As ``readAll(_:)``, with a body that may end it by throwing.
  package func readPieces(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let buffer = Self.readBuffer()
    defer { buffer.deallocate() }
    while let piece = try readPiece(into: buffer) { try body(piece) }
  }

  package func rewind() throws(Errno) { try fileSystem.rewind(raw) }

  private static func readBuffer() -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: 256 << 10, alignment: 16)
  }

  private func readPiece(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> UnsafeRawBufferPointer? {
    let count = try fileSystem.read(raw, into: buffer)
    return count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
  }

  /// Reads from the current place on until the buffer holds so many bytes, or the file ends; how
  /// many it holds.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, atLeast least: Int
  ) throws(Errno) -> Int {
    var count = 0
    while count < least {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let read = try fileSystem.read(raw, into: rest)
      guard read > 0 else { break }
      count += read
    }
    return count
  }

  /// The first bytes of a small file, at most `limit`.
  package func readStart(limit: Int) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(Errno) in try fileSystem.read(raw, at: 0, into: buffer) }
    }
    return Array(bytes.prefix(try result.get()))
  }

  /// Gives this empty file all bytes of another one, which are stored once from then on;
  /// ``Errno/notSupported`` where the disk can't do that.
  package func clone(_ source: Descriptor) throws(Errno) {
    try fileSystem.clone(source.raw, into: raw)
  }

  package func truncate() throws(Errno) {
    try fileSystem.truncate(raw, to: 0)
    try fileSystem.rewind(raw)
  }

  package func truncate(to length: Int64) throws(Errno) { try fileSystem.truncate(raw, to: length) }

  /// Sets the modification time in nanoseconds since 1970; the access time stays.
  package func setModified(nanoseconds: Int64) throws(Errno) {
    try fileSystem.setModified(raw, nanoseconds: nanoseconds)
  }

  /// Sets who may do what with it, whatever the umask is.
  package func setMode(_ mode: UInt32) throws(Errno) { try fileSystem.setMode(raw, mode) }

  /// Lets the system begin to write a range back, without waiting for it.
  package func startWriteBack(from offset: Int64, count: Int64) {
    fileSystem.startWriteBack(raw, from: offset, count: count)
  }
}
