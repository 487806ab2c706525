import Foundation

/// Lets all contenders of a scenario run in turn, each in a folder of its own.
struct Rounds {
  let shop: Workshop
  let scenario: Scenario
  let say: (String) -> Void

  func run() throws -> ScenarioResult {
    try scenario.enter(.preparing)
    for contender in scenario.contenders { try prepare(contender) }
    try scenario.enter(.measuring)
    defer { try? scenario.enter(.over) }
    var samples = [[Sample]](repeating: [], count: scenario.contenders.count)
    let count = shop.options.isQuick ? 1 : shop.options.rounds * scenario.repeats
    if !shop.options.isQuick { try round(0, "warm-up") { _, _ in } }
    for number in 1...count {
      try round(number, "\(number)/\(count)") { samples[$0].append($1) }
    }
    let results = zip(scenario.contenders, samples).map {
      ContenderResult($0, $1, places: shop.places)
    }
    return try ScenarioResult(scenario, results, isJudged: shop.isFull)
  }

  private func round(
    _ round: Int, _ label: String, _ note: (Int, Sample) -> Void
  ) throws {
    for number in order(in: round) {
      let contender = scenario.contenders[number]
      let sample = try measure(contender)
      note(number, sample)
      say("\(scenario.name) \(label) \(contender.name): \(Units.time(sample.wall))")
    }
  }

  /// Each round begins with another contender, and every second one goes the other way round, so
  /// that nobody always follows the same one.
  private func order(in round: Int) -> [Int] {
    let count = scenario.contenders.count
    let order = (0..<count).map { ($0 + round) % count }
    return round.isMultiple(of: 2) ? order : order.reversed()
  }

  /// Makes the copy that the measured command is to find, unless another contender has.
  private func prepare(_ contender: Contender) throws {
    guard let first = contender.first, let room = scenario.room else { return }
    let key = first.text(naming: [])
    guard shop.prepared[key] == nil else { return }
    say("\(scenario.name) preparing \(contender.name)")
    let image = shop.work.appending(path: "rounds/prepared-\(shop.prepared.count).img")
    let ground = try Ground.make(room, image: image, at: mountPoint)
    shop.prepared[key] = image
    try ground.use { folder in
      try succeed(first, launch.run(first, in: folder))
      try ground.settle()
    }
  }

  private func measure(_ contender: Contender) throws -> Sample {
    guard let ground = try makeGround(for: contender) else {
      return try measure(contender, in: shop.work)
    }
    return try ground.use { folder in
      try ground.settle()
      if !shop.options.isQuick {
        SystemMemory.take((scenario.room?.bytes ?? 0) * 2 + 2 << 30)
      }
      if contender.first != nil { try scenario.isServed ? ground.look() : ground.read() }
      return try measure(contender, in: folder)
    }
  }

  private func measure(_ contender: Contender, in folder: URL) throws -> Sample {
    try log.forget()
    let server = try serverTime()
    let cost = try perform(contender, in: folder)
    let traffic = try log.traffic()
    var sample = Sample(
      wall: cost.wall, cpu: cost.user + cost.system, peak: cost.peak,
      traffic: contender.peer == .rsync || !scenario.isServed ? nil : traffic,
      server: try serverTime() - server, stale: 0)
    let copy = folder.appending(path: "copy")
    sample.stale = scenario.set?.stale(in: copy) ?? 0
    try contender.examine?(
      .init(copy: copy, cost: cost, output: launch.text(launch.output)), &sample)
    try check(contender, sample)
    return sample
  }

  private func makeGround(for contender: Contender) throws -> Ground? {
    guard let room = scenario.room else { return nil }
    let folder = shop.work.appending(path: "rounds")
    guard let first = contender.first, let original = shop.prepared[first.text(naming: [])] else {
      return try Ground.make(room, image: folder.appending(path: "empty.img"), at: mountPoint)
    }
    return try Ground.copy(
      of: original, image: folder.appending(path: "copy.img"), at: mountPoint)
  }

  private func perform(_ contender: Contender, in folder: URL) throws -> Cost {
    if let meanwhile = contender.meanwhile {
      try meanwhile.before()
      defer { try? meanwhile.after() }
      return try launch.run(contender.command, in: folder, meanwhile: meanwhile)
    }
    guard let bytes = contender.interruptedAfter else {
      let cost = try launch.run(contender.command, in: folder)
      try succeed(contender.command, cost)
      return cost
    }
    let before = try launch.run(contender.command, in: folder, interruptedAfter: bytes)
    guard try shop.nginx.log.traffic().bytes < scenario.set?.bytes ?? 0 else {
      // The quick form has so little that a peer may be done first; it judges ours alone.
      if shop.options.isQuick, contender.peer?.isOurs == false { return before }
      throw BenchProblem(
        description: "\(scenario.name), \(contender.name): it had everything before it could be "
          + "interrupted")
    }
    let after = try launch.run(contender.command, in: folder)
    try succeed(contender.command, after)
    return before + after
  }

  /// What is ours has to be right; a peer's wrong copies are told.
  private func check(_ contender: Contender, _ sample: Sample) throws {
    if let expected = contender.expected, let traffic = sample.traffic,
      traffic.bytes != expected.bytes || traffic.requests < expected.requests
        || traffic.requests > expected.requests + (scenario.set?.parts ?? 0)
    {
      throw BenchProblem(
        description: "\(scenario.name), \(contender.name): \(expected.requests) requests and "
          + "\(expected.bytes) bytes were expected; the server saw \(traffic.requests) and "
          + "\(traffic.bytes)")
    }
    if contender.peer?.isOurs == true, sample.stale > 0 {
      let things = scenario.isServed ? "files" : "rows"
      throw BenchProblem(
        description:
          "\(scenario.name), \(contender.name): \(sample.stale) \(things) are missing or wrong")
    }
  }

  private func succeed(_ command: Command, _ cost: Cost) throws {
    guard cost.status != 0 else { return }
    throw BenchProblem(
      description: "\(scenario.name): \(command.text(naming: shop.places)) ended with "
        + "\(cost.status): \(launch.text(launch.errors).suffix(500))")
  }

  private var log: AccessLog { scenario.server?.log ?? shop.nginx.log }

  private func serverTime() throws -> Double {
    try scenario.server?.processorTime() ?? shop.serverTime()
  }

  private var mountPoint: URL { shop.work.appending(path: "rounds/ground") }
  private var launch: Launch { Launch(shop: shop) }
}
