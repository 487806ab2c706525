package import Foundation

/// A program that runs beside the test, its output kept in files.
package final class ChildProcess {
  /// How a program ended.
  package enum End: Hashable {
    /// It exited with this status.
    case exited(Int32)
    /// A signal ended it.
    case killed(by: Int32)
  }

  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)
  private let output: URL
  private let errors: URL

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - records: An existing folder for what it prints.
  ///   - input: The descriptor that it gets as its standard input; nothing by default.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String],
    directory: URL, records: URL, input: Int32? = nil
  ) throws {
    let name = UUID().uuidString
    output = records.appending(path: "\(name).out")
    errors = records.appending(path: "\(name).err")
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = directory
    process.standardInput = input.map { FileHandle(fileDescriptor: $0) } ?? .nullDevice
    let files = [try Self.newFile(output), try Self.newFile(errors)]
    // The program has its own; Foundation would hold these for as long as the test process lives.
    defer { for file in files { try? file.close() } }
    process.standardOutput = files[0]
    process.standardError = files[1]
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  /// Its process number.
  package var identifier: Int32 { process.processIdentifier }

  /// Whether it hasn't ended yet; one that a signal has stopped hasn't.
  package var isRunning: Bool { process.isRunning }

  /// What it printed so far.
  package var printed: String { Self.text(output) }

  /// What it said on standard error so far.
  package var said: String { Self.text(errors) }

  /// Sends it a signal, unless it has ended: its number may be another program's by then.
  package func send(_ signal: Int32) {
    if process.isRunning { kill(process.processIdentifier, signal) }
  }

  /// Whether its end has been noticed.
  package var hasEnded: Bool { !process.isRunning }

  /// Waits for its end; kills it and throws when that doesn't come in time. May be asked again.
  ///
  /// It is waited for at least as long as is usual: see ``Patience``. What is promised to be sooner,
  /// a test has to assert.
  package func end(within limit: Duration = .zero) throws -> End {
    let limit = max(limit, Patience.usual)
    // Whoever asks once more after an error must not wait for an end that has been told already.
    defer { ended.signal() }
    guard ended.wait(timeout: .now() + .seconds(Int(limit.components.seconds))) == .success else {
      send(SIGKILL)
      ended.wait()
      throw Overdue(program: process.executableURL?.lastPathComponent ?? "", said: said)
    }
    return process.terminationReason == .exit
      ? .exited(process.terminationStatus) : .killed(by: process.terminationStatus)
  }

  /// Whether it has a file open.
  package func hasOpen(_ file: URL) -> Bool {
    let folder = "/proc/\(identifier)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.contains { number in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)"))
        == file.path
    }
  }

  /// Whether all of it stands still, as after a `SIGSTOP` that has come.
  package var standsStill: Bool {
    let tasks = "/proc/\(identifier)/task"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return !numbers.isEmpty
      && numbers.allSatisfy { number in
        let words = try? String(contentsOfFile: "\(tasks)/\(number)/stat", encoding: .utf8)
        // As in "4711 (records) T 1 …", where the name may hold anything.
        return words?.split(separator: ")").last?.hasPrefix(" T") ?? false
      }
  }

  /// A program didn't end in time.
  package struct Overdue: Error {
    package var program: String
    package var said: String
  }

  private static func newFile(_ url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  private static func text(_ url: URL) -> String {
    String(decoding: (try? Data(contentsOf: url)) ?? Data(), as: UTF8.self)
  }
}
