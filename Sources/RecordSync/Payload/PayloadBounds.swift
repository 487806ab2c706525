private import SyncText

/// How much of a payload is held at once.
package struct PayloadBounds: Sendable, Equatable {
  /// About the bytes of text in a window.
  package var window = 1 << 20
  /// About the nodes of a window's tape, for text that is nearly all brackets and commas.
  package var nodes = 1 << 19
  /// The most bytes of one element of a payload that is read piece by piece.
  package var element = 64 << 20
  /// From how many bytes on a value that is passed over is read part by part.
  package var passedOver = 64 << 10

  /// The most bytes of a payload in memory whose windows lie over its own bytes, since places on a
  /// tape are small numbers. A longer one is read piece by piece.
  package var whole = JSONTape.longest / 2

  /// The usual ones.
  package init() {}
}
