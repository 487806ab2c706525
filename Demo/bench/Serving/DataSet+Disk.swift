import Foundation

extension DataSet {
  /// What its folder is called; another one for each edition and each amount.
  var folderName: String { "\(name)-\(edition)-\(files.count)" }

  /// Writes the files below `folder`, unless an earlier run has.
  func write(to folder: URL) throws {
    let note = folder.appendingPathExtension("made")
    if (try? String(contentsOf: note, encoding: .utf8)) == description { return }
    try? FileManager.default.removeItem(at: note)
    try? FileManager.default.removeItem(at: folder)
    for place in folders {
      try FileManager.default.createDirectory(
        at: folder.appending(path: place), withIntermediateDirectories: true)
    }
    for file in everything { try file.write(to: folder.appending(path: file.path)) }
    try description.write(to: note, atomically: true, encoding: .utf8)
  }

  /// Writes those files anew that changed, as they are or as they were before.
  func writeChanged(to folder: String, asTheyWere: Bool) throws {
    for var file in files where file.generation > 0 {
      if asTheyWere { file.generation -= 1 }
      try file.write(to: URL(filePath: folder).appending(path: file.path))
    }
  }

  /// How many files of the copy are missing or hold other bytes. Of a large file the first block
  /// and the size are looked at: no two files begin alike.
  func stale(in copy: URL) -> Int {
    files.count { !$0.isIn(copy.appending(path: $0.path)) }
  }

  /// What the files are, as one text: equal for equal sets.
  private var description: String {
    var noise = Noise(of: name)
    var sum = noise.next()
    for file in everything {
      var own = file.noise()
      sum = (sum &* 31) ^ own.next()
    }
    return "\(everything.count) files, \(bytes) bytes, \(String(sum, radix: 16))"
  }
}

extension DataSet.File {
  private static let block = 1 << 20

  fileprivate func write(to place: URL) throws {
    let descriptor = open(place.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw problem("written", place) }
    defer { close(descriptor) }
    var noise = noise()
    var left = size
    while left > 0 {
      let bytes = noise.bytes(min(left, Self.block))
      guard
        bytes.withUnsafeBytes({ Foundation.write(descriptor, $0.baseAddress, $0.count) })
          == bytes.count
      else { throw problem("written", place) }
      left -= bytes.count
    }
    let dates = [timespec(tv_sec: date, tv_nsec: 0), timespec(tv_sec: date, tv_nsec: 0)]
    guard futimens(descriptor, dates) == 0 else { throw problem("dated", place) }
  }

  fileprivate func isIn(_ place: URL) -> Bool {
    let descriptor = open(place.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) == size else { return false }
    var noise = noise()
    let expected = noise.bytes(min(size, 4_096))
    var found = [UInt8](repeating: 0, count: expected.count)
    return read(descriptor, &found, found.count) == found.count && found == expected
  }

  /// Whether it isn't there, or has other bytes.
  func isMissing(in copy: URL) -> Bool { !isIn(copy.appending(path: path)) }

  private func problem(_ word: String, _ place: URL) -> BenchProblem {
    BenchProblem(
      description: "\(place.path) can't be \(word): \(String(cString: strerror(errno)))")
  }
}
