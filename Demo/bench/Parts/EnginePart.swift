import Foundation
import OneWaySynchronizer
import Synchronization

/// One measurement of the engine alone, or of what could stand in its place: a process
/// of its own, so that its memory is its own.
enum EnginePart: String, CaseIterable {
  /// A pass over items of which none changed.
  case unchanged
  /// A pass that downloads every item; a download does nothing.
  case downloads
  /// The same downloads in a task group by hand: a task an item, 8 at a time.
  case taskGroup = "task-group"
  /// The same downloads in 8 tasks that each take the next item: the least that it can cost.
  case workers

  /// What a part found out.
  struct Finding: Codable {
    /// How long the work took, without what was made for it before.
    var seconds: Double
    /// The memory that the work needed at its peak beyond the items themselves.
    var bytesPerItem: Double
  }

  static let width = 8

  func run(count: Int) async throws -> Finding {
    let items = (0..<count).map { NumberedItem(id: $0) }
    let processor = IdleProcessor(items: items, keys: self == .unchanged ? Set(0..<count) : [])
    ProcessMemory.forgetPeak()
    let memory = ProcessMemory.bytes(peak: false)
    let began = ContinuousClock.now
    try await work(processor)
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    let grown = max(0, ProcessMemory.bytes(peak: true) - memory)
    return Finding(seconds: seconds, bytesPerItem: Double(grown) / Double(count))
  }

  private func work(_ processor: IdleProcessor) async throws {
    switch self {
    case .unchanged: try await pass(processor, downloading: 0)
    case .downloads: try await pass(processor, downloading: processor.items.count)
    case .taskGroup: try await taskGroup(processor)
    case .workers: try await workers(processor)
    }
  }

  private func pass(_ processor: IdleProcessor, downloading count: Int) async throws {
    var options = SyncOptions()
    options.concurrency = Self.width
    let report = try await Synchronizer(processor: processor, options: options).sync()
    let counts = report.passes[0].counts
    precondition(counts.listed == processor.items.count && counts.downloaded == count)
  }

  private func taskGroup(_ processor: IdleProcessor) async throws {
    var waiting = processor.items.makeIterator()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.width {
        guard let item = waiting.next() else { break }
        group.addTask { try await processor.downloadContent(of: item) }
      }
      while try await group.next() != nil {
        guard let item = waiting.next() else { continue }
        group.addTask { try await processor.downloadContent(of: item) }
      }
    }
  }

  private func workers(_ processor: IdleProcessor) async throws {
    let counter = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.width {
        group.addTask {
          while true {
            let number = counter.next()
            guard number < processor.items.count else { return }
            try await processor.downloadContent(of: processor.items[number])
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
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
  func shouldUpdate(_ item: NumberedItem) async throws -> Bool { false }
  func downloadContent(of item: NumberedItem) async throws {}
}
