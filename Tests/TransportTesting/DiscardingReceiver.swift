package import SyncTransport

/// Lets a body pass by.
package final class DiscardingReceiver: BodyReceiver {
  /// A receiver that keeps nothing.
  package init() {}

  /// Does nothing.
  package func begin(_ head: HTTPHead, resumption: Resumption) {}

  /// Asks for more.
  package func receive(_ bytes: UnsafeRawBufferPointer) -> Demand { .more }
}
