extension KeyPattern {
  /// How a pattern fits a path.
  package enum Fit: Hashable, Sendable {
    /// It doesn't, nor can it anything below.
    case none
    /// It doesn't, but it may fit something below.
    case below
    /// It does, itself or through a directory above it.
    case whole
  }

  /// How the pattern fits a path: its names, with slashes between.
  ///
  /// One walk through the names. A bit of `live` says that the parts before it have been used up by
  /// the names so far; the last bit says that all have.
  package func fit(_ path: [UInt8], isDirectory: Bool) -> Fit {
    var live = closure(1)
    var start = path.startIndex
    while true {
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      live = step(live, path[start..<end])
      guard live != 0 else { return .none }
      let isFile = end == path.endIndex && !isDirectory
      if live & accepting != 0, !(isFile && fitsDirectoriesOnly) { return .whole }
      if end == path.endIndex { return live & ~accepting == 0 ? .none : .below }
      start = end + 1
    }
  }

  /// Whether the pattern fits everything in a directory, whatever it is called, though it doesn't
  /// fit the directory itself: as `d/*` and `d/**` do in `d`.
  package func fitsAll(in directory: [UInt8]) -> Bool {
    guard parts.last == .anyName, !fitsDirectoriesOnly else { return false }
    let names = directory.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let live = names.reduce(closure(1)) { step($0, $1) }
    return live & (accepting >> 1) != 0
  }

  private var accepting: UInt64 { 1 << UInt64(parts.count) }

  /// The states after one more name.
  private func step(_ live: UInt64, _ name: ArraySlice<UInt8>) -> UInt64 {
    var next: UInt64 = 0
    for (place, part) in parts.enumerated() where live & (1 << UInt64(place)) != 0 {
      switch part {
      case .anyDepth: next |= 1 << UInt64(place)
      case .name(let elements):
        if PatternPart.fits(elements, name) { next |= 1 << UInt64(place + 1) }
      }
    }
    return closure(next)
  }

  /// Any number of directories may be none.
  private func closure(_ live: UInt64) -> UInt64 {
    var live = live
    for (place, part) in parts.enumerated()
    where part == .anyDepth && live & (1 << UInt64(place)) != 0 {
      live |= 1 << UInt64(place + 1)
    }
    return live
  }
}
