import SyncSystem

/// A program: a command line in, an exit status out, and whatever is told between the two.
///
/// Whoever conforms says what can be asked for and does it, and has its `main` call ``run()``: that
/// reads the command line, shows help and version, watches for signals, and ends once all is told.
public protocol CommandProgram: SendableMetatype {
  associatedtype Request: CommandRequest

  static var program: ProgramDescription<Request> { get }
  /// The command that shows what was done, for whoever wasn't told.
  static var lookingCommand: String { get }
  /// The libraries that it runs with, each by name and version: what `--version` prints below the
  /// program's own. By default none.
  static var libraries: [String] { get }

  /// What a command line asks for. By default what ``program`` makes of it.
  static func request(_ words: CommandLineWords<Request.Command>) throws -> Request
  static func perform(
    _ request: Request, _ interruption: Interruption.State
  ) async throws -> ExitStatus
  /// Tells why the program fails, and with which status; `nil` stands for a command line that can't
  /// be understood.
  static func fail(_ error: any Error, of request: Request?) async -> ExitStatus
}

extension CommandProgram {
  /// Runs the program, and ends the process.
  public static func run() async {
    // A command line has the program's name at least. Swift reads it from /proc, and begins without
    // one where that is missing.
    if CommandLine.arguments.isEmpty {
      leave("/proc isn't there, and with it the command line; mount it: mount -t proc proc /proc.")
    }
    // Whoever reads our output may go away; what was begun is finished all the same.
    signal(SIGPIPE, SIG_IGN)
    Streams.open()
    let status = await Interruption.guarding { interruption in
      let status = await run(Array(CommandLine.arguments.dropFirst()), interruption)
      if await Streams.finish(apology) || status != .done { return status }
      return interruption.hasCome ? .cancelled : .failed
    }
    exit(status.rawValue)
  }

  /// Fails before there is room for a thread that writes.
  public static func leave(_ sentence: String) -> Never {
    signal(SIGPIPE, SIG_IGN)
    let line = Array("\(program.name): \(sentence)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(ExitStatus.failed.rawValue)
  }

  public static var libraries: [String] { [] }

  /// What the command line says, and nothing else.
  public static func request(_ words: CommandLineWords<Request.Command>) throws -> Request {
    try program.request(words)
  }

  /// Shows the page of the manual for the program, or for one of its commands.
  public static func showManual(of command: String?) async throws -> ExitStatus {
    await ManualPage.show(try program.manual(of: command, date: program.date))
    return .done
  }

  /// Prints what the shell of that name reads to complete commands and options.
  public static func showCompletion(for shell: String?) throws -> ExitStatus {
    Streams.out(try program.completion(for: shell ?? ""))
    return .done
  }

  private static func run(
    _ arguments: [String], _ interruption: Interruption.State
  ) async -> ExitStatus {
    let request: Request
    do {
      switch try ArgumentParser.parse(arguments, of: program) {
      case .help(let command):
        Streams.out(Help(program, width: Terminal.helpWidth).text(for: command))
        return .done
      case .version:
        let lines = ["\(program.name) \(program.version)"] + libraries
        Streams.out(lines.joined(separator: "\n"))
        return .done
      case .run(let words): request = try self.request(words)
      }
    } catch {
      return await fail(error, of: nil)
    }
    do {
      return try await perform(request, interruption)
    } catch {
      return await fail(error, of: request)
    }
  }

  @Sendable private static func apology(_ place: String, _ reason: String) -> String {
    """
    \(program.name): what was to be told \(place) couldn't be written (\(reason)); what was done \
    is done. Look with '\(program.name) \(lookingCommand)', and mend where the output leads.
    """
  }
}
