import SyncEssentials
import SyncPrograms
import SyncSystem

/// Shows pages of the manual.
public enum ManualPage {
  /// Shows a page, as `man` reads it: formatted by `man` where standard output is a terminal and
  /// there is one, else as it is.
  public static func show(_ page: String) async {
    guard isatty(STDOUT_FILENO) == 1, await isShownByMan(page) else { return Streams.out(page) }
  }

  private static func isShownByMan(_ page: String) async -> Bool {
    await withCheckedContinuation { ended in
      SystemThread.start { ended.resume(returning: runMan(page)) }
    }
  }

  private static func runMan(_ page: String) -> Bool {
    guard let input = try? NamelessFile(holding: Array("\(page)\n".utf8)) else { return false }
    defer { input.close() }
    let environment = ProcessInfo.processInfo.environment
    var man = ChildProgram(
      "man", ["man", "-l", "-"], environment: environment.map { "\($0.key)=\($0.value)" },
      files: [input.descriptor, STDOUT_FILENO, STDERR_FILENO])
    // It reads from the terminal how far to turn.
    man.hasOwnGroup = false
    guard let number = try? man.start() else { return false }
    return ChildProgram.wait(for: number) == 0
  }
}
