/// One call on a ``ModelDisk``, as a hook and the log see it.
struct DiskCall: Equatable, Sendable, CustomStringConvertible {
  let kind: Kind
  /// The directory or file that it is made on.
  let base: String
  /// The name or path below it, when the call has one.
  let name: [UInt8]
  /// Counts the calls of the disk, from 1.
  let number: Int

  var path: String {
    name.isEmpty ? base : base + "/" + String(decoding: name, as: UTF8.self)
  }

  var description: String { "\(number) \(kind) \(path)" }

  enum Kind: String, CaseIterable, Sendable {
    case access, create, entries, flush, flushFileSystem, lock, makeDirectory, open, read, rename,
      removeDirectory, rewind, setModified, space, startWriteBack, status, truncate, unlink, write

    /// Whether it may change the disk or what is sure to be on it.
    var changesDisk: Bool {
      switch self {
      case .create, .flush, .flushFileSystem, .makeDirectory, .rename, .removeDirectory,
        .setModified, .truncate, .unlink, .write:
        true
      case .access, .entries, .lock, .open, .read, .rewind, .space, .startWriteBack, .status:
        false
      }
    }
  }
}
