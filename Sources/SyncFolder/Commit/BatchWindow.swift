/// Decides which files are flushed together, and when.
///
/// Either no batch is open (`open` is empty), or one is, its timer is set, and it is closed by
/// whichever comes first: a limit, its timer, a drain.
struct BatchWindow<Element> {
  /// The open batch.
  private(set) var open: [Element] = []
  private(set) var bytes: Int64 = 0
  /// How many batches were opened before; tells a late timer from the current one.
  private(set) var number = 0

  /// What the performer is to do.
  enum Action {
    /// Tell ``timerFired(number:)`` after ``BatchLimits/age``.
    case setTimer(number: Int)
    /// Flush these together.
    case flush([Element])
  }

  mutating func added(_ element: Element, bytes count: Int64) -> [Action] {
    if count >= BatchLimits.large { return [.flush([element])] }
    open.append(element)
    bytes += count
    if open.count >= BatchLimits.files || bytes >= BatchLimits.bytes { return close() }
    return open.count == 1 ? [.setTimer(number: number)] : []
  }

  /// A batch has been open for ``BatchLimits/age``. Late timers of closed batches are expected.
  mutating func timerFired(number fired: Int) -> [Action] {
    fired == number ? close() : []
  }

  /// Nothing more is coming.
  mutating func drained() -> [Action] {
    close()
  }

  private mutating func close() -> [Action] {
    guard !open.isEmpty else { return [] }
    let batch = open
    open = []
    bytes = 0
    number += 1
    return [.flush(batch)]
  }
}

extension BatchWindow: Equatable where Element: Equatable {}
extension BatchWindow.Action: Equatable where Element: Equatable {}
extension BatchWindow: Sendable where Element: Sendable {}
extension BatchWindow.Action: Sendable where Element: Sendable {}
