import Foundation

/// Runs commands through the launcher, a small program beside this one.
struct Launch {
  let shop: Workshop

  /// Where what a command printed, and what it said on standard error, is until the next one.
  var output: URL { shop.work.appending(path: "rounds/output") }
  var errors: URL { shop.work.appending(path: "rounds/errors") }
  private var result: URL { shop.work.appending(path: "rounds/cost") }
  private var number: URL { result.appendingPathExtension("pid") }

  /// Runs one command to its end, or interrupts it when nginx has sent so many bytes.
  func run(
    _ command: Command, in folder: URL, interruptedAfter bytes: Int? = nil,
    meanwhile: Contender.Meanwhile? = nil
  ) throws -> Cost {
    for file in [result, number] { unlink(file.path) }
    let process = Process()
    process.executableURL = URL(filePath: Workshop.program).deletingLastPathComponent()
      .appending(path: "launcher")
    process.arguments =
      [result.path, output.path, errors.path, command.program] + command.arguments
    process.currentDirectoryURL = folder
    process.environment = [
      "HOME": shop.work.appending(path: "home").path, "LANG": "C.UTF-8",
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    if let bytes { try interrupt(process, after: bytes) }
    if let meanwhile { try change(meanwhile, under: process) }
    process.waitUntilExit()
    unlink(number.path)
    return try JSONDecoder().decode(Cost.self, from: Data(contentsOf: result))
  }

  /// What stands in one of the files.
  func text(_ file: URL) -> String {
    String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
  }

  private func change(_ meanwhile: Contender.Meanwhile, under launcher: Process) throws {
    try wait(for: launcher, orUntilSent: meanwhile.bytes)
    // The quick form has so little that who is fast may be done first.
    guard launcher.isRunning || shop.options.isQuick else {
      throw BenchProblem(description: "a contender had all before the source could change")
    }
    try meanwhile.change()
  }

  private func wait(for launcher: Process, orUntilSent bytes: Int) throws {
    while launcher.isRunning, try shop.nginx.log.sofar().bytes < bytes { usleep(2_000) }
  }

  private func interrupt(_ launcher: Process, after bytes: Int) throws {
    try wait(for: launcher, orUntilSent: bytes)
    if let child = pid_t(text(number)) { kill(child, SIGINT) }
  }
}
