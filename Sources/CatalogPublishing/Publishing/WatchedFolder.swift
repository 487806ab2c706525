import SyncFiles

/// A folder whose directories are watched, from one publishing to the next. For one thread.
///
/// Each directory is watched before it is listed: what changes in it later is told, and what was
/// there before is seen. So nothing is missed, and a directory that is made meanwhile is a change
/// of the one that it stands in.
final class WatchedFolder {
  private let watch: DirectoryWatch
  private let isOwn: ([UInt8]) -> Bool
  /// Ends the waiting, together with a call to the watch.
  let stop: StopFlag
  private var settling: ChangeSettling
  /// The numbers of the directories of the last whole look, and of the one under way.
  private var (known, seen): (Set<Int32>, Set<Int32>) = ([], [])
  /// The number of the directory that the catalog goes to, if it is one of them.
  private var catalogs: Int32?

  /// - Parameter isOwn: Whether a name beside the catalog is the catalog's own: writing it is no
  ///   change of the folder.
  init(
    _ watch: DirectoryWatch, _ settling: ChangeSettling, isOwn: @escaping ([UInt8]) -> Bool,
    until stop: StopFlag
  ) {
    self.watch = watch
    self.settling = settling
    self.isOwn = isOwn
    self.stop = stop
  }

  static func makeWatch() throws(PublishError) -> DirectoryWatch {
    do throws(Errno) {
      return try DirectoryWatch()
    } catch {
      throw .unwatched(WatchProblem(error) ?? .refused(reason: error.text))
    }
  }

  func noteLook() {
    settling.noteLook()
    seen = []
  }

  func enter(_ directory: Descriptor, isCatalogs: Bool) throws(PublishError) {
    do throws(Errno) {
      let number = try watch.add(directory)
      seen.insert(number)
      known.insert(number)
      if isCatalogs { catalogs = number }
    } catch {
      // One that is gone by now has no name any more, and nothing in it.
      if error == .absent, !seen.isEmpty { return }
      throw .unwatched(WatchProblem(error) ?? .refused(reason: error.text))
    }
  }

  /// The folder was published, or is as it was.
  func noteSuccess() {
    settling.noteSuccess()
    for number in known.subtracting(seen) { watch.remove(number) }
    known = seen
  }

  func noteFailure() {
    settling.noteFailure(at: now)
  }

  /// Returns when the folder is to be looked at again, or that is asked for.
  /// - Parameter timeLeft: How long it is until that is to be done at the latest, by a clock that
  ///   somebody may set; `nil` is for ever.
  /// - Throws: ``PublishError``, or `CancellationError`.
  func waitForRest(or trigger: PublishTrigger, until timeLeft: (() -> Duration)? = nil) throws {
    while true {
      watch.takeWakes()
      try stop.check()
      if trigger.take() { return }
      let left = timeLeft?()
      if left == .zero { return }
      let wait = [settling.wait(at: now), left.map { min($0, Self.longestWait) }]
        .compactMap(\.self).min()
      if wait == .zero { return }
      let events = try PublishError.translating("watch", ".") { () throws(Errno) in
        try watch.wait(for: wait.map { Int32(($0 / .milliseconds(1)).rounded(.up)) })
      }
      if events.hasOverflowed || events.changes.contains(where: isOfFolder) {
        settling.noteChange(at: now)
      }
    }
  }

  private func isOfFolder(_ change: WatchEvents.Change) -> Bool {
    change.directory != catalogs || !isOwn(change.name)
  }

  /// After it, a clock that may have been set is looked at again.
  private static let longestWait = Duration.seconds(60)

  /// Time that nobody sets.
  private var now: Duration { began.duration(to: .now) }
  private let began = ContinuousClock.now
}

extension WatchProblem {
  fileprivate init?(_ errno: Errno) {
    switch errno {
    case .noSuchCall: self = .unknownHere
    case .noSpace: self = .tooManyDirectories
    case .tooManyOpenFiles: self = .tooManyWatches
    default: return nil
    }
  }
}
