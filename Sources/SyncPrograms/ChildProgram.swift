#if os(Linux) || os(macOS)
  private import CSyncSystem
  package import SyncFiles
  private import SyncSystem

  /// Starts programs, with the signals of a new process and no file of ours that it isn't given.
  package struct ChildProgram {
    /// Its path, or a name that is looked for in `PATH`.
    package var program: String
    /// Its arguments, with its own name before them.
    package var arguments: [String]
    /// `NAME=VALUE` each.
    package var environment: [String]
    /// What it gets as its files 0, 1, 2 and so on; ``mostFiles`` at most. They take their places
    /// one after the other: none may stand at a place before its own, where another comes first.
    package var files: [Int32]
    /// Whether it gets a process group of its own: a signal at the terminal is then for us alone,
    /// and it may not read from the terminal. Default `true`.
    package var hasOwnGroup = true

    package init(
      _ program: String, _ arguments: [String], environment: [String], files: [Int32]
    ) {
      (self.program, self.arguments) = (program, arguments)
      (self.environment, self.files) = (environment, files)
    }

    package static let mostFiles: Int32 = 16

    /// Starts it.
    /// - Returns: its process number, which is to be waited for.
    /// - Throws: also where it would get too many files.
    package func start() throws(Errno) -> Int32 {
      guard files.count <= Int(Self.mostFiles) else { throw Errno(code: EMFILE) }
      #if canImport(Darwin)
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
      #else
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
      #endif
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      for (place, file) in files.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, file, Int32(place))
      }
      #if os(Linux)
        csync_spawn_closing_from(&actions, Int32(files.count))
      #endif
      var (none, ours) = (sigset_t(), sigset_t())
      sigemptyset(&none)
      sigemptyset(&ours)
      for signal in [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] { sigaddset(&ours, signal) }
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setsigdefault(&attributes, &ours)
      posix_spawnattr_setpgroup(&attributes, 0)
      #if canImport(Darwin)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
      #else
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
      #endif
      posix_spawnattr_setflags(
        &attributes, Int16(hasOwnGroup ? flags | POSIX_SPAWN_SETPGROUP : flags))
      var number = pid_t()
      let failure = Self.withCStrings(arguments) { arguments in
        Self.withCStrings(environment) { variables in
          posix_spawnp(&number, program, &actions, &attributes, arguments, variables)
        }
      }
      guard failure == 0 else { throw Errno(code: failure) }
      return number
    }

    /// Waits for the end of a process and answers its status, as `waitpid(2)` gives it; `nil` where
    /// it has ended and nobody can tell how, as where this process ignores SIGCHLD.
    package static func wait(for number: Int32) -> Int32? {
      if case .ended(let status) = look(for: number, options: 0) { status } else { nil }
    }

    /// How a process that was started stands.
    package enum Standing: Equatable {
      case running
      /// It has ended with this status, as `waitpid(2)` gives it. Its number may be another's now.
      case ended(Int32)
      /// It has ended, and its status went to somebody else.
      case lost
    }

    package static func standing(of number: Int32) -> Standing {
      look(for: number, options: WNOHANG)
    }

    private static func look(for number: Int32, options: Int32) -> Standing {
      var status: Int32 = 0
      while true {
        switch waitpid(number, &status, options) {
        case number: return .ended(status)
        case 0: return .running
        default: if errno != EINTR { return .lost }
        }
      }
    }

    /// Calls `body` with texts as C has lists of them.
    private static func withCStrings<Result>(
      _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
      let copies = texts.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      return body(copies + [nil])
    }
  }
#endif
