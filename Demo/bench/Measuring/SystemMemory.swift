import Foundation

/// The memory of the machine.
enum SystemMemory {
  /// Touches so many bytes of memory and gives them back, until that goes quickly: four times at
  /// most.
  ///
  /// A virtual machine hands free memory back to its host (free page reporting, Linux's
  /// `mm/page_reporting.c`) and gets it again a page at a time when it is touched; that was
  /// measured to take eight times as long as touching it does otherwise, and who ran first after a
  /// pause paid for it. `Demo/bench/run` ends that where it can; what is gone is taken back here.
  static func take(_ bytes: Int) {
    // On a small machine it must not push out what is to be found in memory.
    let bytes = min(bytes, Int(ProcessInfo.processInfo.physicalMemory / 4))
    for _ in 0..<4 {
      let began = ContinuousClock.now
      touch(bytes)
      let quickly = Duration.milliseconds(50 + bytes >> 21)  // half a second a GiB
      if ContinuousClock.now - began < quickly { return }
    }
  }

  private static func touch(_ bytes: Int) {
    guard
      let memory = mmap(
        nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else { return }
    for offset in stride(from: 0, to: bytes, by: 4_096) {
      memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
    }
    munmap(memory, bytes)
  }
}
