/// A set of row numbers. Those that come one after the other, as those of new rows do, cost next to
/// nothing; a number out of the order costs some twenty bytes until it closes a gap.
struct RowNumbers {
  /// Ascending, without a number in common.
  private var runs: [ClosedRange<Int64>] = []
  /// Numbers that came later than a greater one, and aren't in a run.
  private var late: Set<Int64> = []
  private(set) var count = 0

  /// How many numbers wait to be put among the runs at least.
  private static let mostLate = 4_096

  var runCount: Int { runs.count + late.count }

  /// - Returns: Whether it wasn't there before.
  @discardableResult
  mutating func insert(_ number: Int64) -> Bool {
    guard let last = runs.last, last.upperBound >= number else {
      append(number...number)
      count += 1
      return true
    }
    guard !isInRun(number), late.insert(number).inserted else { return false }
    count += 1
    if late.count >= max(Self.mostLate, runs.count) { putInOrder() }
    return true
  }

  func contains(_ number: Int64) -> Bool { isInRun(number) || late.contains(number) }

  private func isInRun(_ number: Int64) -> Bool {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].lowerBound <= number
  }

  private mutating func append(_ run: ClosedRange<Int64>) {
    if let last = runs.last, last.upperBound == run.lowerBound - 1 {
      runs[runs.count - 1] = last.lowerBound...run.upperBound
    } else {
      runs.append(run)
    }
  }

  private mutating func putInOrder() {
    let numbers = late.sorted()
    let before = runs
    late = []
    runs = []
    var next = numbers.startIndex
    for run in before {
      while next < numbers.endIndex, numbers[next] < run.lowerBound {
        append(numbers[next]...numbers[next])
        next += 1
      }
      append(run)
    }
    // The last run ends behind all of them.
  }
}
