import SyncFiles

struct LogFile {
  let path: String
  let outlet = Outlet()
  /// Never closed: the outlet may have something left for it.
  private let descriptor: Int32

  /// Opens the file, or makes it; what another user may have planted in its place isn't opened.
  /// - Throws: ``LogProblem``.
  init(path: String) throws {
    self.path = path
    do throws(Errno) {
      descriptor = try FilePlace(userPath: path).openToAppend(until: WholeFile.isHopeless)
    } catch {
      throw LogProblem(path: path, reason: error.text)
    }
  }

  /// Has a line written, after its time.
  func write(_ line: String, at time: Double, _ weight: Outlet.Weight) {
    outlet.write("\(Moments.text(time)) \(line)\n", to: descriptor, weight)
  }
}

/// A log that can't be opened.
public struct LogProblem: Error, CustomStringConvertible {
  public var path: String
  /// In the system's words.
  public var reason: String

  public var description: String {
    "the log '\(path)' can't be opened (\(reason)); name a file that can be written"
  }
}
