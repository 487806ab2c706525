import Dispatch
import SynchronizerTesting

extension Gate {
  /// Waits on a server's thread, which nobody else needs.
  func block() {
    let isOpen = DispatchSemaphore(value: 0)
    Task {
      try? await wait()
      isOpen.signal()
    }
    isOpen.wait()
  }
}
