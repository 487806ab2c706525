import CSyncSystem
import Foundation
import SyncLock
import TestSupport

/// Somebody who keeps exchanging things of a folder with things of his own, as fast as he can, on
/// a thread of his own.
final class Flipper: Sendable {
  /// What stands in the way for a moment.
  enum Decoy: Sendable {
    /// A symbolic link to this place.
    case link(to: URL)
    case fifo
    case directory
    case file
  }

  /// A place in the folder, and what takes its place again and again.
  struct Trick: Sendable {
    var place: URL
    var decoy: Decoy
  }

  private struct State {
    var isStopping = false
    var flips = 0
    var byPlace: [String: Int] = [:]
  }

  private let tricks: [Trick]
  private let shelf: URL
  private let seed: UInt64
  private let state = Locked(State())
  private let ended = DispatchSemaphore(value: 0)

  /// Begins. What isn't in its place for a moment lies on the `shelf`, on the same file system.
  init(_ tricks: [Trick], shelf: URL, seed: UInt64) throws {
    (self.tricks, self.shelf, self.seed) = (tricks, shelf, seed)
    try makeFolder(at: shelf)
    Thread.detachNewThread { [self] in
      work()
      ended.signal()
    }
  }

  /// How often something was exchanged so far.
  var flips: Int { state.withLock { $0.flips } }

  /// How often at each place, by its path.
  var flipsByPlace: [String: Int] { state.withLock { $0.byPlace } }

  /// Ends, when everything is back in its place.
  func stop() {
    state.withLock { $0.isStopping = true }
    ended.wait()
    ended.signal()
  }

  private func work() {
    var generator = SeededGenerator(seed: seed)
    while !state.withLock({ $0.isStopping }) {
      guard let trick = tricks.randomElement(using: &generator) else { return }
      let stays = Int.random(in: 0..<8, using: &generator)
      play(trick, pause: useconds_t(stays * stays * stays))
      usleep(useconds_t(Int.random(in: 0..<200, using: &generator)))
    }
  }

  private func play(_ trick: Trick, pause: useconds_t) {
    let hand = shelf.appending(path: "hand")
    guard make(trick.decoy, at: hand) else { return }
    if exchange(hand, trick.place) {
      usleep(pause)
      count(trick, exchange(hand, trick.place) ? 2 : 1)
    }
    // Where the way back was gone, what was ours to give back is lost: somebody's rough hand.
    try? FileManager.default.removeItem(at: hand)
  }

  private func make(_ decoy: Decoy, at place: URL) -> Bool {
    switch decoy {
    case .link(let target): symlink(target.path, place.path) == 0
    case .fifo: mkfifo(place.path, 0o644) == 0
    case .directory: mkdir(place.path, 0o755) == 0
    case .file: FileManager.default.createFile(atPath: place.path, contents: Data("foreign".utf8))
    }
  }

  private func exchange(_ first: URL, _ second: URL) -> Bool {
    csync_renameat2(AT_FDCWD, first.path, AT_FDCWD, second.path, CSYNC_RENAME_EXCHANGE) == 0
  }

  private func count(_ trick: Trick, _ number: Int) {
    state.withLock { state in
      state.flips += number
      state.byPlace[trick.place.path, default: 0] += number
    }
  }
}
