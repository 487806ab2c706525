/// A thread of its own for what may wait for long: Swift's own threads are few.
package enum SystemThread {
  /// Starts one that ends when `body` returns.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let work = Unmanaged.passRetained(Work(body: body)).toOpaque()
    let problem = pthread_create(&thread, nil, perform, work)
    guard problem == 0 else {
      preconditionFailure("no thread could be started: \(String(cString: strerror(problem)))")
    }
    #if canImport(Glibc)
      pthread_detach(thread)
    #else
      if let thread { pthread_detach(thread) }
    #endif
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }

  #if canImport(Darwin)
    private typealias Argument = UnsafeMutableRawPointer
  #else
    private typealias Argument = UnsafeMutableRawPointer?
  #endif

  private static let perform: @convention(c) (Argument) -> UnsafeMutableRawPointer? = {
    let work: UnsafeMutableRawPointer? = $0
    if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
    return nil
  }
}
