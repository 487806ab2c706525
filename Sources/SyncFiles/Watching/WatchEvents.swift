/// What changed in watched directories, as inotify(7) tells it.
package struct WatchEvents: Equatable, Sendable {
  package struct Change: Hashable, Sendable {
    /// The directory's number in the watch.
    package let directory: Int32
    /// The name in it; empty when it is about the directory itself.
    package let name: [UInt8]
  }

  /// In the order in which they were told.
  package private(set) var changes: [Change] = []
  /// Whether more changed than the system could keep: then anything may have.
  package private(set) var hasOverflowed = false

  package init() {}
}

#if os(Linux)
  import CSyncSystem

  extension WatchEvents {
    /// Events as they are read: the directory's number, a mask, a cookie, and the length of the
    /// name that follows, with zeros after it.
    init(_ bytes: UnsafeRawBufferPointer) {
      var place = 0
      while place + Self.headLength <= bytes.count {
        let directory = bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)
        let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
        place += Self.headLength
        let name = bytes[place..<min(place + length, bytes.count)].prefix { $0 != 0 }
        place += length
        if mask & CSYNC_WATCH_OVERFLOW != 0 {
          hasOverflowed = true
        } else if mask & CSYNC_WATCH_IGNORED == 0 {
          changes.append(Change(directory: directory, name: Array(name)))
        }
      }
    }

    private static let headLength = 16
  }
#endif
