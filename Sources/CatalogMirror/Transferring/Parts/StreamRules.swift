import SyncLock
import SyncText

/// How many streams a file may have, for all files of a run.
final class StreamRules: Sendable {
  enum Choice: Sendable {
    /// As many as the origin takes beside everything else, by what is found out of it: more as long
    /// as that makes it faster. One where that isn't found out, or over HTTP/2, where all of them
    /// would share a connection.
    case automatic
    /// So many; others wait in line.
    case count(Int)
  }

  let choice: Choice
  let sizes: PartSizes
  private let state: Locked<State>

  private struct State {
    /// How many streams there may be beside the first one of each file.
    var spare: Int
    /// Where parts can't be joined.
    var partless: Set<String> = []
  }

  /// The most streams of one file where nobody gave a number.
  static let most = 16

  /// - Parameter spare: How many streams there may be beside the first one of each file: each takes
  ///   an open file.
  init(_ choice: Choice, sizes: PartSizes = PartSizes(), spare: Int) {
    (self.choice, self.sizes) = (choice, sizes)
    state = Locked(State(spare: spare))
  }

  /// Whether a file from an address comes in parts, where so many more fetches from there would
  /// begin at once.
  func wantsParts(from url: String, room: @autoclosure () -> Int?) -> Bool {
    guard !isPartless(url) else { return false }
    return switch choice {
    case .automatic: room() != nil
    case .count(let count): count > 1
    }
  }

  /// How many streams a file should have.
  ///
  /// - Parameters:
  ///   - count: How many it has.
  ///   - waiting: How many of these haven't begun to ask, and will take of the room.
  ///   - room: How many more fetches would begin at once.
  func streams(having count: Int, waiting: Int, room: @autoclosure () -> Int?) -> Int {
    switch choice {
    case .automatic: max(1, min(Self.most, count + max(0, (room() ?? 0) - waiting)))
    case .count(let count): max(1, count)
    }
  }

  /// Takes up to so many of the streams that are to spare.
  func take(_ count: Int) -> Int {
    state.withLock { state in
      let taken = max(0, min(count, state.spare))
      state.spare -= taken
      return taken
    }
  }

  func giveBack(_ count: Int) {
    state.withLock { $0.spare += count }
  }

  /// What comes from an address can't be joined: it isn't asked for parts again.
  func notePartless(_ url: String) {
    state.withLock { _ = $0.partless.insert(Self.host(of: url)) }
  }

  /// Whether what comes from an address can't be joined, as far as is known.
  func isPartless(_ url: String) -> Bool {
    state.withLock { $0.partless.contains(Self.host(of: url)) }
  }

  private static func host(of url: String) -> String {
    URLReference(url)?.authority ?? ""
  }
}
