import Foundation

/// One program, called in one way, in one scenario.
struct Contender {
  var name: String
  /// Nothing where it is no program of its own.
  var peer: Peer?
  /// What its peer leaves undone, and what this way of calling it adds to that or makes up for.
  var lacks: [Peer.Lack]
  /// Makes the copy that the measured command finds; nobody looks at the clock.
  var first: Command?
  /// What is measured.
  var command: Command
  /// What nginx must have been asked for, exactly; a round in which it differs is an error.
  var expected: AccessLog.Traffic?
  /// After so many bytes it is interrupted as with Ctrl-C, and then run again; both are measured.
  var interruptedAfter: Int?
  /// What happens at the source while it is at work.
  var meanwhile: Meanwhile?
  /// Looks at what a round left, and notes more of it.
  var examine: ((Evidence, inout Sample) throws -> Void)?

  /// A change of the source that a contender meets; it may fail by that.
  struct Meanwhile {
    /// Makes the source as the contender finds it at first.
    var before: () throws -> Void
    /// After how many bytes it changes.
    var bytes: Int
    var change: () throws -> Void
    /// Makes the source as the others find it.
    var after: () throws -> Void
  }

  /// What a round left.
  struct Evidence {
    var copy: URL
    var cost: Cost
    /// What it printed.
    var output: String
  }

  init(
    _ peer: Peer?, _ name: String, _ command: Command, after first: Command? = nil,
    lacks: [Peer.Lack] = [], makesUpFor madeUp: [Peer.Lack] = [],
    expecting expected: AccessLog.Traffic? = nil
  ) {
    (self.peer, self.command, self.first, self.expected) = (peer, command, first, expected)
    self.name = name
    self.lacks = (peer?.lacks ?? []).filter { !madeUp.contains($0) } + lacks
  }

  /// A peer as it is called most plainly, under its own name.
  init(
    _ peer: Peer, _ command: Command, after first: Command? = nil,
    expecting expected: AccessLog.Traffic? = nil
  ) {
    self.init(peer, peer.rawValue, command, after: first, expecting: expected)
  }

  func examined(_ examine: @escaping (Evidence, inout Sample) throws -> Void) -> Contender {
    var contender = self
    contender.examine = examine
    return contender
  }
}
