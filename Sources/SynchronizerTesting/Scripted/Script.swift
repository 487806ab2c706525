import OneWaySynchronizer

/// What a ``ScriptedProcessor`` knows: the script, the log, and who is held. A value that decides;
/// the processor waits and acts.
struct Script<Item: SyncItem & Equatable>: Sendable {
  typealias ID = Item.ID
  typealias Call = ProcessorCall<ID>

  var source: SourceList<Item>
  var local: [ID: Item]
  var memory: ScriptMemory
  var outdated: Set<ID> = []
  var commitsEachDownload = false
  var hooks = ScriptHooks<Item>()
  var handsOver: @Sendable (Call) -> Bool = { _ in false }

  private(set) var log: [CallLogEntry<ID>] = []
  private(set) var reports: [PassReport<ID>] = []
  private var faults: [ScriptedFault<ID>] = []
  private var lastTicket = 0
  private var armed: [(place: CallPlace<ID>, ticket: Int)] = []
  private var handedOver: [Int] = []
  private(set) var held: [Int: CaughtCall<Item>] = [:]
}

/// An error that a script makes calls end with.
struct ScriptedFault<ID: Hashable & Sendable>: Sendable {
  var place: CallPlace<ID>
  var error: any Error
  var times: Int
}

/// What a test says to a call that is held.
enum Verdict<Item: SyncItem>: Sendable {
  case proceed
  case fail(any Error)
  case answer(ScriptedAnswer<Item>)
}

enum ScriptedAnswer<Item: SyncItem>: Sendable {
  case list(SourceList<Item>)
  case keys(Set<Item.ID>)
  case items([Item])
  case failures([Item.ID: any Error])
  case done
}

/// A call that a test holds, or wants to hold once it comes.
struct CaughtCall<Item: SyncItem>: Sendable {
  var call: ProcessorCall<Item.ID>?
  var items: [Item] = []
  var ignoresCancellation = false
  var wasCancelled = false
  var verdict: Verdict<Item>?
}

extension Script {
  init(source: [Item], local: [Item], memory: ScriptMemory) {
    self.init(
      source: .complete(source), local: Dictionary(local.map { ($0.id, $0) }) { $1 },
      memory: memory)
  }

  private init(source: SourceList<Item>, local: [ID: Item], memory: ScriptMemory) {
    self.source = source
    self.local = local
    self.memory = memory
  }

  /// The calls in the order in which they began.
  var calls: [Call] {
    log.compactMap { entry in
      if case .began(let call) = entry { call } else { nil }
    }
  }

  var inFlight: Int { flights.last ?? 0 }

  var maxInFlight: Int { flights.max() ?? 0 }

  /// How many calls were under way after each entry of the log.
  private var flights: [Int] {
    var count = 0
    return log.map { entry in
      if case .began = entry { count += 1 } else { count -= 1 }
      return count
    }
  }

  /// What is asked whether a call is handed over; `nil` when the test holds it anyway.
  func chooser(for call: Call) -> (@Sendable (Call) -> Bool)? {
    armed.contains { $0.place.matches(call) } ? nil : handsOver
  }

  /// A call began. Gives the ticket under which it is held, `nil` when it isn't.
  mutating func began(_ call: Call, given items: [Item], isHandedOver: Bool) -> Int? {
    log.append(.began(call))
    if let index = armed.firstIndex(where: { $0.place.matches(call) }) {
      let ticket = armed.remove(at: index).ticket
      held[ticket]?.call = call
      held[ticket]?.items = items
      return ticket
    }
    guard isHandedOver else { return nil }
    lastTicket += 1
    held[lastTicket] = CaughtCall(call: call, items: items)
    handedOver.append(lastTicket)
    return lastTicket
  }

  /// A call returned to the engine; the last of a pass, whose report it was given, in one step
  /// with it: who waits for the call finds the report.
  mutating func ended(
    _ call: Call, _ ending: CallEnding, lastOf report: PassReport<ID>? = nil
  ) {
    log.append(.ended(call, ending))
    if let report { reports.append(report) }
  }

  /// Holds the next call that comes to a place.
  mutating func hold(_ place: CallPlace<ID>, ignoringCancellation: Bool) -> Int {
    lastTicket += 1
    armed.append((place, lastTicket))
    held[lastTicket] = CaughtCall(ignoresCancellation: ignoringCancellation)
    return lastTicket
  }

  /// The test decided about a held call; the first decision counts.
  mutating func decide(_ ticket: Int, _ verdict: Verdict<Item>) {
    if held[ticket]?.verdict == nil { held[ticket]?.verdict = verdict }
  }

  mutating func setIgnoresCancellation(_ ticket: Int) {
    held[ticket]?.ignoresCancellation = true
  }

  /// The task of a held call was cancelled.
  mutating func cancelled(_ ticket: Int) {
    held[ticket]?.wasCancelled = true
  }

  /// How a held call goes on; `nil` while the test keeps it.
  func outcome(of ticket: Int) -> Verdict<Item>? {
    guard let one = held[ticket] else { return .proceed }
    if one.wasCancelled, !one.ignoresCancellation { return .fail(CancellationError()) }
    return one.verdict
  }

  /// Takes the next call that was handed over.
  mutating func takeHandedOver() -> Int? {
    handedOver.isEmpty ? nil : handedOver.removeFirst()
  }

  mutating func addFault(_ fault: ScriptedFault<ID>) {
    faults.append(fault)
  }

  mutating func clearFaults() {
    faults = []
  }

  /// The error that the script wants this call to end with.
  mutating func takeFault(for call: Call) -> (any Error)? {
    guard let index = faults.firstIndex(where: { $0.place.matches(call) && $0.times > 0 })
    else { return nil }
    faults[index].times -= 1
    return faults[index].error
  }
}

extension Script {
  /// What would be downloaded again: outdated keys, and items that differ from the local ones.
  func changed(among items: [Item]) -> [Item] {
    items.filter { outdated.contains($0.id) || local[$0.id] != $0 }
  }

  mutating func remember(downloaded item: Item) {
    guard memory == .remembers else { return }
    local[item.id] = item
    outdated.remove(item.id)
  }

  mutating func remember(removed keys: Set<ID>) {
    guard memory == .remembers else { return }
    for key in keys { local[key] = nil }
  }
}
