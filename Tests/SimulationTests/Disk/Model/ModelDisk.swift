import CatalogMirror
import SyncLock
@testable import SyncFiles

/// A disk in memory with two layers: what processes see, and what is sure to be there after a loss
/// of power.
///
/// Bytes become durable by a flush of their file, names by a flush of their directory, both by a
/// flush of the file system. That is the least that POSIX promises, and less than ext4 or XFS do:
/// there a flush of anything brings all names along that were changed before.
///
/// A process works on it by its ``fileSystem``. ``crash(using:)`` and ``kill()`` end that process:
/// from then on every call of its own fails and changes nothing, so that what it left running does
/// no harm to the next one.
final class ModelDisk: Sendable {
  /// What a hook may make of a call.
  enum Fault: Equatable, Sendable {
    /// It fails and does nothing; a flush gives up the bytes that it was to write.
    case error(Errno)
    /// Only so many bytes of a write are written.
    case short(Int)
  }

  typealias Hook = @Sendable (DiskCall) -> Fault?

  let state: Locked<DiskState>
  /// Nanoseconds since 1970.
  let now: @Sendable () -> Int64
  private let watch = Locked(Watch())

  private struct Watch {
    var hook: Hook?
    var logs = false
    var log: [DiskCall] = []
    var counts: [DiskCall.Kind: Int] = [:]
  }

  /// An empty disk.
  ///
  /// - Parameters:
  ///   - capacity: Its bytes.
  ///   - now: The clock of its dates, in nanoseconds since 1970. Default: goes on by a millisecond
  ///     with every look at it.
  init(capacity: Int64 = 1 << 40, now: (@Sendable () -> Int64)? = nil) {
    let ticks = Locked<Int64>(1_738_324_800_000_000_000)
    let clock =
      now ?? {
        ticks.withLock { ticks in
          ticks += 1_000_000
          return ticks
        }
      }
    self.now = clock
    state = Locked(DiskState(capacity: capacity, now: clock()))
  }

  private init(_ state: DiskState, now: @escaping @Sendable () -> Int64) {
    self.now = now
    self.state = Locked(state)
  }

  /// Another disk in the same state with nothing open, to see what might become of this one.
  func copy() -> ModelDisk {
    state.withLock { ModelDisk($0.copied(), now: now) }
  }

  /// The disk as the process sees it that begins now, or has begun since the last one ended.
  var fileSystem: ModelFileSystem {
    ModelFileSystem(disk: self, generation: state.withLock { $0.generation })
  }

  /// The power fails and comes back: what was flushed is there, and what was not may be.
  func crash(using generator: inout some RandomNumberGenerator) {
    var dice = SeededDice(generator)
    state.withLock { $0.crash(&dice) }
    generator = dice.generator
  }

  /// The process is killed: all that it did is there, nothing more is sure to stay.
  func kill() {
    state.withLock { $0.endProcess() }
  }

  /// All that was done so far is durable.
  func settle() {
    state.withLock { $0.flushEverything() }
  }

  var capacity: Int64 {
    get { state.withLock { $0.capacity } }
    set { state.withLock { $0.capacity = newValue } }
  }

  /// The bytes that are in use, in whole blocks.
  var used: Int64 { state.withLock { Int64($0.usedBlocks) * Int64(FileBytes.block) } }

  /// The files and directories that the process has open.
  var openCount: Int { state.withLock { $0.openCount } }

  /// Is asked before each call, on the thread of the call; it may end the process.
  func onCall(_ hook: Hook?) { watch.withLock { $0.hook = hook } }

  /// The calls since logging was asked for, in their order.
  var log: [DiskCall] { watch.withLock { $0.log } }

  /// Begins a new log, or ends logging.
  func keepLog(_ keeps: Bool = true) {
    watch.withLock { watch in
      watch.logs = keeps
      watch.log = []
    }
  }

  /// How many calls of a kind there were.
  func count(of kind: DiskCall.Kind) -> Int { watch.withLock { $0.counts[kind, default: 0] } }

  /// How many calls there were.
  var count: Int { state.withLock { $0.calls } }
}

extension ModelDisk {
  /// Announces a call. Gives the most that may be written.
  func begin(
    _ kind: DiskCall.Kind, _ generation: Int, on descriptor: Int32? = nil, _ name: [UInt8] = []
  ) throws(Errno) -> Int {
    let call = try state.withLock { state throws(Errno) in
      guard state.generation == generation else { throw .inputOutput }
      state.calls += 1
      return DiskCall(
        kind: kind, base: descriptor.map { state.path($0) } ?? "", name: name,
        number: state.calls)
    }
    let hook = watch.withLock { watch in
      watch.counts[kind, default: 0] += 1
      if watch.logs { watch.log.append(call) }
      return watch.hook
    }
    switch hook?(call) {
    case nil: return .max
    case .error(let errno): throw errno
    case .short(let count): return count
    }
  }

  /// Does what a call is there for, unless its process has ended meanwhile.
  func perform<Answer: Sendable>(
    _ generation: Int, _ body: (inout DiskState) throws(Errno) -> Answer
  ) throws(Errno) -> Answer {
    try state.withLock { state throws(Errno) in
      guard state.generation == generation else { throw .inputOutput }
      return try body(&state)
    }
  }
}
