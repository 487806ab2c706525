internal import CSyncCurl
private import SyncSystem

/// The thread that drives libcurl: one multi handle, commands in, answers out.
///
/// Everything but the inbox is touched on that thread only. The thread sleeps in libcurl until a
/// socket moves, a limit runs out, or something is left in the inbox. Tasks that do little but ask
/// for one thing after the other may run on it as well (see ``CurlLoops``): such a task sends its
/// next request from the thread that brought it the answer to the last.
final class CurlLoop: @unchecked Sendable {  // all but the inbox is its thread's own
  private let configuration: TransportConfiguration
  private let proxies: ProxyRules
  private let multi: UnsafeMutableRawPointer
  private let sockets = OpenSockets()
  private var nextWatch = Duration.zero
  /// Where everybody leaves what the loop is to do.
  let inbox: LoopInbox

  private var batch: [Command] = []
  private var jobs: [LoopInbox.Job] = []
  private var line: WaitingLine<Origin, CurlExchange>
  private var running: [ObjectIdentifier: CurlExchange] = [:]
  private var spare: [CurlHandle] = []
  private var ending = Ending.none
  private var waiters: [CheckedContinuation<Void, Never>] = []

  enum Command {
    /// Begin this exchange when there is room.
    case start(CurlExchange)
    case cancel(CurlExchange)
    /// Its receiver takes bytes again.
    case resume(CurlExchange)
    /// End when nothing runs any more.
    case retire
    /// End now, and say so.
    case close(CheckedContinuation<Void, Never>)
  }

  private enum Ending {
    case none, whenIdle, now
  }

  private static let isLibraryReady = csync_global_init() == CURLE_OK

  /// A loop whose thread runs until it's told to end.
  static func start(
    _ configuration: TransportConfiguration, environment: [String: String]
  ) -> CurlLoop {
    let loop = CurlLoop(configuration, environment: environment)
    SystemThread.start { loop.run() }
    return loop
  }

  private init(_ configuration: TransportConfiguration, environment: [String: String]) {
    guard Self.isLibraryReady, let multi = curl_multi_init() else {
      preconditionFailure("libcurl could not be set up")
    }
    self.configuration = configuration
    self.multi = multi
    inbox = LoopInbox(multi)
    proxies = ProxyRules(configuration.proxy, environment: environment)
    line = WaitingLine(
      limitPerKey: configuration.maxConnectionsPerHost, limit: configuration.maxConnections)
    csync_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maxConnections)
    csync_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maxConnections)
    csync_multi_set_long(
      multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maxConnectionsPerHost)
    csync_multi_set_long(
      multi, CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.maxStreamsPerHost)
  }

  private static let watchInterval = Duration.milliseconds(100)
  private static let longAbsence = Duration.seconds(1)
  private static let jobRounds = 8

  /// Time for limits: nobody sets it, and it stands still while the machine sleeps.
  static var now: Duration { epoch.duration(to: .now) }

  private static let epoch = SuspendingClock.now

  static var current: CurlLoop? {
    pthread_getspecific(currentKey).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  private static let currentKey = {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "no room for a thread's value")
    return key
  }()

  /// Tells the loop, from any thread. `false` when it has ended.
  func post(_ command: Command) -> Bool { inbox.leave(command) }

  private func run() {
    Self.blockSignals()
    pthread_setspecific(Self.currentKey, Unmanaged.passUnretained(self).toOpaque())
    while true {
      let began = Self.now
      runJobs()
      takeCommands()
      if ending == .now || ending == .whenIdle && running.isEmpty && line.isEmpty { break }
      startNext()
      turn(since: began)
      // What was freed is handed on at once, and what was asked for meanwhile is begun before
      // the thread sleeps.
      startNext()
      if inbox.isEmpty { curl_multi_poll(multi, nil, 0, sleepMilliseconds, nil) }
    }
    tearDown()
  }

  /// Lets libcurl do what it can do now, and answers the callers whose exchanges have ended.
  private func turn(since began: Duration) {
    var count: CInt = 0
    curl_multi_perform(multi, &count)
    settle()
    let now = Self.now
    if now - began > Self.longAbsence { forgiveAbsence(from: began, to: now) }
    if now >= nextWatch { endSlow(at: now) }
  }

  /// Runs tasks, and what becomes ready by that; but not for long, as the network waits.
  private func runJobs() {
    for _ in 0..<Self.jobRounds {
      inbox.swapJobs(&jobs)
      if jobs.isEmpty { return }
      for job in jobs { job.run() }
      jobs.removeAll(keepingCapacity: true)
    }
  }

  /// Signals belong to the program's other threads, and a broken connection must not raise one.
  private static func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  private func takeCommands() {
    inbox.swapCommands(&batch)
    for command in batch {
      switch command {
      case .start(let exchange): line.enter(exchange, under: exchange.request.address.origin)
      case .cancel(let exchange): end(exchange, .failure(CancellationError()))
      case .resume(let exchange): resume(exchange)
      case .retire: ending = .whenIdle
      case .close(let waiter):
        ending = .now
        waiters.append(waiter)
      }
    }
    batch.removeAll(keepingCapacity: true)
  }

  private func startNext() {
    while let exchange = line.next() {
      guard exchange.phase == .waiting else {
        line.leave(exchange.request.address.origin)
        continue
      }
      exchange.phase = .running
      running[ObjectIdentifier(exchange)] = exchange
      exchange.route.mayShareConnection =
        configuration.allowsHTTP2 && exchange.request.address.scheme == "https"
      exchange.route.sockets = exchange.route.mayShareConnection ? nil : sockets
      begin(exchange, on: spare.popLast() ?? CurlHandle())
    }
  }

  private func begin(_ exchange: CurlExchange, on handle: CurlHandle) {
    exchange.handle = handle
    do {
      let proxy = proxies.proxy(for: exchange.request.address)
      exchange.route.isProxied = proxy != nil
      try handle.prepare(
        for: exchange, configuration: configuration, proxy: proxy, sockets: sockets)
      let code = curl_multi_add_handle(multi, handle.easy)
      guard code == CURLM_OK else {
        throw TransportError(.library(Int(code.rawValue)), at: exchange.request.address)
      }
    } catch {
      end(exchange, .failure(error))
    }
  }

  /// Tries the next kept connection, or a new one: each time one is closed, so that this ends.
  private func beginAgain(_ exchange: CurlExchange) {
    if let handle = exchange.handle { curl_multi_remove_handle(multi, handle.easy) }
    exchange.startOver()
    begin(exchange, on: CurlHandle())
  }

  private func settle() {
    var left: CInt = 0
    while let message = curl_multi_info_read(multi, &left)?.pointee {
      guard message.msg == CURLMSG_DONE, let user = csync_easy_private(message.easy_handle) else {
        continue
      }
      let exchange = Unmanaged<CurlExchange>.fromOpaque(user).takeUnretainedValue()
      if exchange.route.needsAnotherConnection {
        beginAgain(exchange)
        continue
      }
      let error = CurlFailure.error(message.data.result, of: exchange)
      end(exchange, error.map { .failure($0) })
    }
  }

  /// Takes an exchange off libcurl and answers its caller; without a result, with its response.
  private func end(_ exchange: CurlExchange, _ result: Result<HTTPResponse, any Error>?) {
    guard exchange.phase != .over else { return }
    if exchange.phase == .running, let handle = exchange.handle {
      curl_multi_remove_handle(multi, handle.easy)
      running[ObjectIdentifier(exchange)] = nil
      line.leave(exchange.request.address.origin)
    }
    if let isShared = exchange.isMultiplexed {
      let most = max(configuration.maxConnectionsPerHost, configuration.maxStreamsPerHost)
      line.setOwnLimit(isShared ? most : nil, of: exchange.request.address.origin)
    }
    if let result { exchange.finish(result) } else { exchange.succeed() }
    guard let handle = exchange.handle else { return }
    exchange.handle = nil
    // Only after a success is a handle as good as new: after a name that couldn't be resolved,
    // libcurl 7.88 refuses to set it up again. Connections live in the multi handle.
    guard result == nil else { return }
    let looksUp = exchange.request.usesNetrc && configuration.netrc != .off
    handle.reset(plain: exchange.request.isPlain && !exchange.route.isProxied && !looksUp)
    let most = max(configuration.maxConnections, configuration.maxStreamsPerHost)
    if spare.count < most { spare.append(handle) }
  }

  private func resume(_ exchange: CurlExchange) {
    guard exchange.phase == .running, exchange.pause != .none, let handle = exchange.handle else {
      return
    }
    let isHeld = exchange.pause == .inForce
    exchange.pause = .none
    exchange.watch.start(at: Self.now)
    guard isHeld else { return }
    // Delivers what was held back within this call, and tells only here if that was refused.
    let code = curl_easy_pause(handle.easy, CURLPAUSE_CONT)
    if let error = CurlFailure.error(code, of: exchange) { end(exchange, .failure(error)) }
  }

  /// Looked for now and then, not in every turn: with many exchanges that would cost more than
  /// the turn.
  private func endSlow(at now: Duration) {
    nextWatch = now + Self.watchInterval
    for exchange in running.values {
      let code: TransportError.Code
      switch exchange.watch.verdict(at: now, delivered: exchange.movedBytes) {
      case nil: continue
      case .stalled: code = .stalled
      case .tooSlow: code = .tooSlow
      }
      end(exchange, .failure(TransportError(code, at: exchange.request.address)))
    }
  }

  /// The thread was held up by a receiver that waited for its disk, or by a task. Nobody could take
  /// any bytes in that time, so it doesn't count against a server.
  private func forgiveAbsence(from began: Duration, to now: Duration) {
    for exchange in running.values { exchange.watch.forgive(from: began, to: now) }
  }

  /// Until the next look at how fast they are; libcurl shortens it by its own limits.
  private var sleepMilliseconds: CInt { running.isEmpty ? 60_000 : 100 }

  private func tearDown() {
    inbox.close()
    takeCommands()
    for exchange in Array(running.values) + line.removeAllWaiting() where exchange.phase != .over {
      end(exchange, .failure(TransportError(.closed, at: exchange.request.address)))
    }
    spare.removeAll()
    curl_multi_cleanup(multi)
    for waiter in waiters { waiter.resume() }
    pthread_setspecific(Self.currentKey, nil)
  }
}
