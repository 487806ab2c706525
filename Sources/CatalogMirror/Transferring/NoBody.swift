import SyncFetching

/// Takes answers without a body, or of whose body nothing is wanted.
final class NoBody: ByteSink {
  /// An answer with a body has come.
  struct Begun: Error {}

  private let cutsAsItBegins: Bool

  init(cutsAsItBegins: Bool = false) {
    self.cutsAsItBegins = cutsAsItBegins
  }

  func begin(_ answer: ByteAnswer) throws { if cutsAsItBegins { throw Begun() } }
  func write(_ bytes: UnsafeRawBufferPointer) {}
}
