import Foundation
import OneWaySynchronizer

/// Shows what the engine itself costs (C30, C31): a processor that does nothing, and a clock.
enum EngineBench {
  static func run() async throws {
    let rounds = 5
    for count in [100_000, 1_000_000] {
      let unchanged = try await measure(rounds: rounds) {
        try await pass(over: count, local: true, concurrency: 8)
      }
      show("C30 unchanged", count: count, unchanged)
      let downloads = try await measure(rounds: rounds) {
        try await pass(over: count, local: false, concurrency: 8)
      }
      show("C31 downloads", count: count, downloads)
    }
    let before = residentBytes(peak: true)
    show("resident at its peak", bytes: before)
  }

  private static func pass(over count: Int, local: Bool, concurrency: Int) async throws -> Duration
  {
    let items = (0..<count).map { NumberedItem(id: $0) }
    let keys = local ? Set(0..<count) : []
    var options = SyncOptions()
    options.concurrency = concurrency
    let synchronizer = Synchronizer(
      processor: IdleProcessor(items: items, keys: keys), options: options)
    let clock = ContinuousClock()
    forgetPeak()
    let memory = residentBytes(peak: false)
    let began = clock.now
    let report = try await synchronizer.sync()
    let took = clock.now - began
    let counts = report.passes[0].counts
    precondition(counts.listed == count && counts.downloaded == (local ? 0 : count))
    let grown = max(0, residentBytes(peak: true) - memory)
    if local { show("C30 memory an item", bytes: grown / count) }
    return took
  }

  private static func measure(
    rounds: Int, _ body: () async throws -> Duration
  ) async throws -> [Duration] {
    var times: [Duration] = []
    for _ in 0..<rounds { times.append(try await body()) }
    return times.sorted()
  }

  private static func show(_ name: String, count: Int, _ times: [Duration]) {
    let milliseconds = times.map { $0 / .milliseconds(1) }
    let median = milliseconds[milliseconds.count / 2]
    print(
      String(
        format: "%@, %d items: median %.0f ms (%.0f–%.0f), %d rounds", name, count, median,
        milliseconds[0], milliseconds[milliseconds.count - 1], times.count))
  }

  private static func show(_ name: String, bytes: Int) {
    print("\(name): \(bytes) bytes")
  }

  /// From here on the peak is counted anew (Linux, proc(5)).
  private static func forgetPeak() {
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }

  /// The memory of this process in bytes, now or at its peak (Linux; 0 elsewhere).
  private static func residentBytes(peak: Bool) -> Int {
    let field = peak ? "VmHWM:" : "VmRSS:"
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) })
    else { return 0 }
    return (Int(line.filter(\.isNumber)) ?? 0) * 1_024
  }
}

private struct NumberedItem: SyncItem {
  let id: Int
}

private struct IdleProcessor: SyncProcessor {
  let items: [NumberedItem]
  let keys: Set<Int>

  func fetchSourceList() async throws -> SourceList<NumberedItem> { .complete(items) }
  func localKeys() async throws -> Set<Int> { keys }
  func removeLocalItems(_ keys: Set<Int>) async throws {}
  func downloadContent(of item: NumberedItem) async throws {}
}
