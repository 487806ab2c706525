#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An open descriptor that is closed when it goes.
struct WalkDescriptor: ~Copyable {
  let number: Int32

  /// Takes what a system call returned; throws `errno` when it is negative.
  init(_ number: Int32, _ action: String, _ path: String) throws(PublishError) {
    guard number >= 0 else { throw .last(action, path) }
    self.number = number
  }

  deinit { close(number) }

  var status: stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }

  /// The names in this directory, without `.` and `..`.
  func names(shown: String) throws(PublishError) -> [[UInt8]] {
    let copy = dup(number)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let error = PublishError.last("list", shown)
      if copy >= 0 { close(copy) }
      throw error
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    errno = 0
    while let entry = readdir(stream) {
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
      let length = strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
      let name = Array(UnsafeBufferPointer(start: start, count: length))
      if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .last("list", shown) }
    return names
  }

  /// Reads from where the descriptor stands to the end.
  func readAll(
    name: String, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(PublishError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1_024, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(number, buffer.baseAddress, buffer.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("read", name)
      }
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Writes all bytes.
  func writeAll(_ bytes: [UInt8], name: String) throws(PublishError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .last("write", name)
      }
      rest.removeFirst(count)
    }
  }
}

extension PublishError {
  /// The error of the system call that has just failed.
  static func last(_ action: String, _ path: String) -> PublishError {
    .system(action: action, path: path, code: errno)
  }
}
