@testable import CatalogMirror
import TestSupport
@testable import SyncFolder
@testable import SyncFiles

/// What the seed has in store for one run.
struct RunPlan: Sendable {
  /// How the run comes to its end.
  enum Ending: Sendable {
    case itsOwn
    /// Its task is cancelled.
    case cancelled(Moment)
    /// The process is killed: what it did stays.
    case killed(Moment)
    /// The power fails: what wasn't flushed may be gone.
    case powerCut(Moment)

    /// Whether the process lives to see the end.
    var isOrderly: Bool {
      switch self {
      case .itsOwn, .cancelled: true
      case .killed, .powerCut: false
      }
    }
  }

  /// Counted from the beginning of the run.
  enum Moment: Sendable {
    case step(Int)
    /// Before this one of the calls that change the disk.
    case change(Int)
  }

  var weather = ModelWeb.Weather()
  var ending = Ending.itsOwn
  /// The number of the call on the disk that fails, and how.
  var diskFault: (call: Int, fault: ModelDisk.Fault)?
  var previews = MirrorOptions.Previews.also
  var concurrency = 4
  var streams = 1
  var maximumRemoval = MirrorOptions.MaximumRemoval.all
  var durability = Durability.batch
  var stopOnError = false
  var retries = 0
  var trustsIndex = false
  var keepsRemoved = true
  /// What comes last.
  var last: [String] = []
  /// What is left out.
  var excluded: [String] = []
  /// The bytes that are free on the disk, where they matter.
  var room: Int?
  /// Whether the room is looked at ahead.
  var checksSpace = true
  /// At which step of the run the user is at work in the folder.
  var userComes: Int?

  /// A run without any trouble.
  static let clean = RunPlan()

  init() {}

  /// A run at random.
  init(_ random: inout SeededGenerator) {
    weather.fault = CatalogFault.drawn(&random)
    weather.itemFaults = [0, 0, 3, 10][Int.random(in: 0..<4, using: &random)]
    weather.pages = random.oneIn(2) ? 1 : Int.random(in: 2...4, using: &random)
    weather.hasPacks = random.oneIn(2)
    ending = Self.ending(&random)
    if random.oneIn(4) { diskFault = Self.diskFault(&random) }
    previews = [.none, .also, .also, .only][Int.random(in: 0..<4, using: &random)]
    concurrency = Int.random(in: 1...5, using: &random)
    maximumRemoval =
      [.all, .guarded, .guarded, .count(3), .never][Int.random(in: 0..<5, using: &random)]
    durability = random.oneIn(3) ? .file : .batch
    stopOnError = random.oneIn(6)
    retries = Int.random(in: 0...2, using: &random)
    trustsIndex = random.oneIn(8)
    keepsRemoved = !random.oneIn(3)
    if random.oneIn(6) { room = 4_096 * Int.random(in: 0...40, using: &random) }
    checksSpace = !random.oneIn(3)
    if random.oneIn(4) { userComes = Int.random(in: 0..<200, using: &random) }
    last = [[], [], ["m/1?"], ["?"], ["b", "c/"]][Int.random(in: 0..<5, using: &random)]
    excluded = [[], [], [], ["m/1?"], ["c/", "a"]][Int.random(in: 0..<5, using: &random)]
    streams = Int.random(in: 1...4, using: &random)
  }

  private static func ending(_ random: inout SeededGenerator) -> Ending {
    let end = Int.random(in: 0..<6, using: &random)
    // Small numbers are as likely as large ones.
    let place = Int.random(in: 0..<1 << Int.random(in: 2...11, using: &random), using: &random)
    let moment = random.oneIn(2) ? Moment.step(place) : .change(place / 4)
    switch end {
    case 0, 1: return .itsOwn
    case 2: return .cancelled(moment)
    case 3: return .killed(moment)
    default: return .powerCut(moment)
    }
  }

  private static func diskFault(
    _ random: inout SeededGenerator
  ) -> (call: Int, fault: ModelDisk.Fault) {
    let call = Int.random(in: 1...1 << Int.random(in: 2...10, using: &random), using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return (call, .error(.noSpace))
    case 1: return (call, .short(1))
    default: return (call, .error(.inputOutput))
    }
  }

  var patternsOfLast: [KeyPattern] { last.compactMap { try? KeyPattern($0) } }

  private var scope: Scope {
    var scope = Scope()
    scope.rules = excluded.compactMap { try? .exclude(KeyPattern($0)) }
    return scope
  }

  /// Whether what comes last may be there only if everything else is as published: the run looks at
  /// everything, gets the whole list, and nobody else is at work.
  var keepsOrder: Bool {
    !last.isEmpty && excluded.isEmpty && weather.fault.isHarmless && userComes == nil
      && !trustsIndex && previews != .only
  }

  /// Whether the disk may refuse what the index is told of a file that is in its place.
  var mayFailToRecord: Bool { diskFault != nil || room != nil }

  func options(folder: String) -> MirrorOptions {
    var options = MirrorOptions(catalog: ModelWeb.catalog, folder: folder)
    options.previews = previews
    options.concurrency = concurrency
    options.streams = streams
    options.maximumRemoval = maximumRemoval
    options.durability = durability
    options.stopOnError = stopOnError
    options.retries = retries
    options.trustsIndex = trustsIndex
    options.checksSpace = checksSpace
    options.last = patternsOfLast
    options.scope = scope
    options.keepRemoved = keepsRemoved ? .seconds(7 * 86_400) : .zero
    return options
  }

  /// The keys that a complete list leaves out, which may go; none when nothing may be removed, and
  /// none that a filter leaves out.
  func removable(of held: Set<String>, listed: Set<String>) -> Set<String> {
    let boundary = ScopeBoundary(scope, at: 0)
    let inside = held.filter { boundary.reason(toLeaveOut: CatalogKey($0)) == nil }
    let mayRemove: Bool
    switch weather.fault {
    // Refused where a newer one was seen; otherwise as good as any.
    case .rollback, .sameRevision: mayRemove = true
    case .lostPage: mayRemove = weather.pages == 1
    case .emptyList: return maximumRemoval == .all ? inside : []
    default: mayRemove = weather.fault.isHarmless
    }
    return mayRemove && maximumRemoval != .never ? inside.subtracting(listed) : []
  }

  /// Whether so many of so many may be removed.
  func allows(_ removals: Int, of held: Int) -> Bool {
    switch maximumRemoval {
    case .all: true
    case .guarded: (removals <= 3 || removals * 2 < held) && (removals < held || held <= 1)
    case .count(let most): removals <= most
    case .share(let share): Double(removals) <= share * Double(held)
    case .never: removals == 0
    }
  }
}
