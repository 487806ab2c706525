import SyncSystem

/// A file that lines are appended to, each with its time.
struct LogFile {
  let path: String
  let outlet = Outlet()
  private let descriptor: Int32

  /// Opens the file, or makes it.
  /// - Throws: ``LogProblem``.
  init(path: String) throws {
    self.path = path
    descriptor = SyncSystem.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw LogProblem(path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// Has a line written, after its time.
  func write(_ line: String, at time: Double, _ weight: Outlet.Weight) {
    outlet.write("\(Moments.text(time)) \(line)\n", to: descriptor, weight)
  }
}

/// A log that can't be opened.
package struct LogProblem: Error, CustomStringConvertible {
  package var path: String
  /// In the system's words.
  package var reason: String

  package var description: String {
    "the log '\(path)' can't be opened (\(reason)); name a file that can be written"
  }
}
