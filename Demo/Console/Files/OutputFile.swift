package import SyncFiles

/// A file that a program writes whole, where its user said: whoever reads finds the old one or the
/// new one. Devices and FIFOs are written into, and links followed, but for those that somebody
/// else may have planted.
public struct OutputFile: Sendable {
  /// Why nothing could be written, in the system's words.
  public struct Problem: Error, Equatable, CustomStringConvertible {
    public var path: String
    public var reason: String

    /// A reason to write nothing to a path.
    public init(path: String, reason: String) {
      (self.path, self.reason) = (path, reason)
    }

    /// The rest of a sentence that says what wasn't written.
    public var description: String { "'\(path)' can't be written: \(reason)" }
  }

  private let path: String

  /// A file, which need not be there.
  public init(_ path: String) {
    self.path = path
  }

  /// Whether this user has the right to write there.
  public var mayBeWritten: Bool { (try? FilePlace(userPath: path))?.mayBeWritten ?? false }

  /// The bytes of the regular file that stands there; `nil` where none does. Throws ``Problem``.
  public func bytes() throws -> [UInt8]? {
    do throws(Errno) {
      return try FilePlace(userPath: path).bytes()
    } catch {
      throw Problem(path: path, reason: error.text)
    }
  }

  /// Puts these bytes in the place of what the file holds. After a power cut either may be there:
  /// nobody waits for the disk.
  ///
  /// - Parameter isHopeless: Whether the reader of a FIFO is waited for no longer, who hasn't read
  ///   for that time.
  public func write(
    _ bytes: [UInt8], until isHopeless: (Duration) -> Bool = OutputFile.isHopeless
  ) throws(Problem) {
    do throws(Errno) {
      try WholeFile.write(bytes, to: path, until: isHopeless)
    } catch {
      throw Problem(path: path, reason: error.text)
    }
  }

  /// He hasn't read for ten seconds, or the task was cancelled meanwhile.
  public static func isHopeless(_ idle: Duration) -> Bool { WholeFile.isHopeless(idle) }

  /// The names on the way from the root to the file, without links, also of one that isn't there
  /// yet; `nil` where they can't be gone up to the last one.
  public var names: [String]? {
    if let whole = try? SystemFileSystem().resolved(userPath: path) {
      return whole.split(separator: "/").map(String.init)
    }
    // A link that leads to nothing yet is followed as well.
    guard let place = try? FilePlace(userPath: path) else { return nil }
    return (place.parents + [place.name]).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Where files are written whose readers may have to be waited for: one after the other, on a
/// thread that nobody else needs.
public struct OutputQueue: Sendable {
  private let queue: any DiskQueue

  /// A queue of its own.
  public init() { self.init(DispatchDiskQueue()) }

  package init(_ queue: any DiskQueue) { self.queue = queue }

  /// Runs `work` after all that came before; it may ask whether the calling task was cancelled.
  public func run<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Value
  ) async throws -> Value {
    try await queue.runStoppably { stop in try work { stop.isRaised } }
  }
}
