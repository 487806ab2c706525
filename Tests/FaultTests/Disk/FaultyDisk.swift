import Foundation
import TestSupport

/// A disk that fails on cue: a small library, preloaded into `mirror`, that counts the calls that
/// concern one folder and does something at one of them. Its source stands in `Tests/Preload`.
struct FaultyDisk {
  /// What is done to which call.
  struct Fault: Equatable, CustomStringConvertible {
    var act: Act
    /// The kinds of calls that are counted.
    var kinds: [Kind]
    /// The number of the call, from 1 on.
    var number: Int
    /// Whether every later call fails, too.
    var lasts = false

    var description: String {
      let names = kinds.map(\.rawValue).joined(separator: "|")
      return "\(act) at \(kinds == Kind.changing ? "call" : names) \(number)\(lasts ? " on" : "")"
    }
  }

  /// What is done.
  enum Act: Equatable, CustomStringConvertible {
    /// The process ends just before the call.
    case kill
    /// The power is cut just before the call: the file system forgets what it hasn't written.
    case cutPower
    /// The power is cut some moment after the call began.
    case cutPowerMeanwhile
    /// The file system is gone from this call on, and the process lives on.
    case loseFileSystem
    /// Half of the bytes are written.
    case writeHalf
    /// The call isn't made; the program is told of this error.
    case fail(Int32)

    var description: String {
      switch self {
      case .kill: "kill"
      case .cutPower: "cut"
      case .cutPowerMeanwhile: "cutting"
      case .loseFileSystem: "drop"
      case .writeHalf: "short"
      case .fail(let error): String(cString: strerror(error))
      }
    }

    fileprivate var word: String {
      if case .fail(let error) = self { "\(error)" } else { description }
    }
  }

  /// The kinds of calls.
  enum Kind: String, CaseIterable {
    case open, read
    case create, write, truncate, fsync, fdatasync, syncfs, times, mode, allocate, mkdir, unlink
    case rename, link, clone

    /// Those that change something.
    static let changing = allCases.filter { $0 != .open && $0 != .read }
  }

  /// A call that was counted.
  struct Call: Hashable, CustomStringConvertible {
    var number: Int
    var kind: Kind
    /// Below the folder.
    var path: String

    var description: String { "\(kind.rawValue) \(number) of \(path)" }
  }

  private let library: URL
  private let report: URL

  /// Compiles the library into `folder`, where reports go as well.
  init(in folder: URL) throws {
    library = folder.appending(path: "FaultyDisk.so")
    report = folder.appending(path: "calls")
    let source = Programs.package.appending(path: "Tests/Preload/FaultyDisk.c")
    let compiler = try Self.compiler()
    let child = try ChildProcess(
      compiler,
      [
        "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o", library.path, source.path,
      ],
      environment: ProcessInfo.processInfo.environment, directory: folder, records: folder)
    guard try child.end(within: .seconds(60)) == .exited(0) else {
      throw NotCompiled(said: child.said)
    }
  }

  /// The library couldn't be made.
  struct NotCompiled: Error {
    var said: String
  }

  /// The system's C compiler, or the one that comes with Swift.
  private static func compiler() throws -> String {
    do { return try Programs.find("cc") } catch { return try Programs.find("clang") }
  }

  /// The environment of a program that meets `fault` below `folder`; without one, its calls are
  /// only counted.
  func environment(
    _ fault: Fault?, in folder: URL, counting kinds: [Kind] = Kind.changing
  ) -> [String: String] {
    try? FileManager.default.removeItem(at: report)
    var environment = [
      "LD_PRELOAD": library.path, "FAULTY_DISK_FOLDER": folder.path,
      "FAULTY_DISK_REPORT": report.path,
      "FAULTY_DISK_KINDS": (fault?.kinds ?? kinds).map(\.rawValue).joined(separator: ","),
    ]
    if let fault {
      environment["FAULTY_DISK_AT"] = "\(fault.number)"
      environment["FAULTY_DISK_ACT"] = fault.act.word
      if fault.lasts { environment["FAULTY_DISK_LASTS"] = "yes" }
    }
    return environment
  }

  /// The calls that the last program made, or began to make, in order.
  func calls(in folder: URL) throws -> [Call] {
    guard let text = try? readText(report) else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, let number = Int(parts[0]), let kind = Kind(rawValue: "\(parts[1])")
      else { return nil }
      let path = parts[2].dropFirst(folder.path.count + 1)
      return Call(number: number, kind: kind, path: String(path))
    }.sorted { $0.number < $1.number }
  }
}
