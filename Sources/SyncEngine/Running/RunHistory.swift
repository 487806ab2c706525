/// The passes of the run under way that have ended, and which of them a caller is told of.
///
/// Passes are counted from the synchronizer's beginning, so that a caller's own first pass is known
/// when it calls, whichever run that pass will be of.
struct RunHistory<ID: Hashable & Sendable> {
  /// The number of the run under way, or of the last one.
  private(set) var run = 0
  /// How many passes have begun, the one under way included.
  private(set) var begun = 0
  /// When the pass under way began, and when the last one began that succeeded.
  private(set) var passBegan: Duration?
  private(set) var lastSuccess: Duration?
  /// Those of the run that have ended, without the ones that were forgotten.
  private(set) var passes: [PassReport<ID>] = []
  /// The number of the last of them.
  private var last = 0
  /// The number in its run of the pass that comes next.
  private(set) var nextInRun = 1

  mutating func runBegins() { run += 1 }

  mutating func passBegins(at now: Duration) {
    begun += 1
    passBegan = now
  }

  /// Takes up a pass that ended, with a report if it had begun. A run may go on for as long as
  /// somebody asks again; of one that does, the oldest passes are forgotten.
  mutating func passEnded(_ report: PassReport<ID>?) {
    if report?.outcome == .succeeded { lastSuccess = passBegan }
    passBegan = nil
    guard let report else { return }
    if passes.count >= 2 * SyncReport<ID>.passLimit {
      passes.removeFirst(passes.count - SyncReport<ID>.passLimit + 1)
    }
    passes.append(report)
    last = begun
    nextInRun += 1
  }

  mutating func runEnded() { (passes, nextInRun) = ([], 1) }

  /// What is told to a caller: the passes that began when so many had begun before its call.
  func report(since earlier: Int) -> SyncReport<ID> {
    SyncReport(passes: Array(passes.suffix(max(0, last - earlier))))
  }
}
