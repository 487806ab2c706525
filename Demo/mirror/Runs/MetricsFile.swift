import Console
import SyncFiles
import SyncLock

/// The file in which the metrics of all mirrors of the process stand.
///
/// What earlier runs wrote of other mirrors stays, unless ``keep(_:)`` says which ones there are:
/// each configuration has a file of its own.
final class MetricsFile: Sendable {
  private let path: String
  private let metrics: Locked<MirrorMetrics?> = Locked(nil)

  /// A file, which need not be there.
  init(_ path: String) {
    self.path = path
  }

  /// Only these mirrors are told of from now on.
  func keep(_ names: [String]) {
    change { $0.keep(Set(names)) }
  }

  /// A run has ended.
  /// - Returns: what went wrong with the file, if anything did.
  func note(_ name: String, _ end: RunEnd) -> [String] {
    change { metrics in
      metrics.note(name, end)
      guard !holdsSomethingElse else {
        return [
          """
          the file of metrics '\(path)' holds something else, which would be lost; name another \
          file
          """
        ]
      }
      // Behind the lock: of two that write at once, the older text could come last.
      do throws(WholeFile.Failure) {
        try WholeFile.write(Array(metrics.text.utf8), to: path)
        return []
      } catch {
        return ["the file of metrics \(error)"]
      }
    }
  }

  @discardableResult
  private func change<Answer>(_ body: (inout MirrorMetrics) -> Answer) -> Answer {
    metrics.withLock { known in
      var metrics = known ?? read()
      defer { known = metrics }
      return body(&metrics)
    }
  }

  /// Whether what is there already was never a file of metrics of ours, cut short or not.
  private var holdsSomethingElse: Bool {
    guard let text = content, !text.isEmpty else { return false }
    return !text.starts(with: "# HELP mirror_".utf8)
  }

  /// What the file holds; a device or a FIFO isn't read.
  private var content: [UInt8]? { try? FilePlace(userPath: path).bytes() }

  /// What is there already, if it's ours and whole.
  private func read() -> MirrorMetrics {
    guard let text = content.flatMap({ String(validating: $0, as: UTF8.self) }),
      let families = MetricText.families(of: text), let metrics = MirrorMetrics(families)
    else { return MirrorMetrics() }
    return metrics
  }
}
