package import Foundation

/// A terminal without a screen, of so many columns: a program draws on one end, a test reads at the
/// other.
package final class Pseudoterminal {
  /// The end that a program has for its terminal.
  package let slave: FileHandle
  private let master: Int32
  private var read: [UInt8] = []

  /// Makes one.
  package init(columns: Int) throws {
    master = posix_openpt(O_RDWR | O_NOCTTY)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
      throw Programs.Missing(name: "a terminal", detail: "The system gives none.")
    }
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    slave = FileHandle(
      fileDescriptor: open(String(cString: name), O_RDWR | O_NOCTTY), closeOnDealloc: true)
    guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else {
      throw Programs.Missing(name: "a terminal of a width", detail: "The system gives none.")
    }
  }

  /// All that was drawn so far, if `isEnough` says that it is; waits for more otherwise, for ten
  /// seconds.
  package func drawn(until isEnough: (String) -> Bool) -> String {
    let deadline = ContinuousClock.now + .seconds(10)
    var text = String(decoding: read, as: UTF8.self)
    while !isEnough(text), ContinuousClock.now < deadline {
      var event = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 100) > 0 else { continue }
      var piece = [UInt8](repeating: 0, count: 4_096)
      let count = Foundation.read(master, &piece, piece.count)
      if count <= 0 { break }
      read += piece.prefix(count)
      text = String(decoding: read, as: UTF8.self)
    }
    return text
  }

  deinit { close(master) }
}
