import Foundation
import RawSockets
import SyncLock

/// The thread behind a ``Link``: one loop over all its connections.
struct Relay {
  let listener: Int32
  let target: UInt16
  let quality: Locked<Link.Quality>
  private var lanes: [Lane] = []
  private var allowance = Allowance()

  init(listener: Int32, target: UInt16, quality: Locked<Link.Quality>) {
    (self.listener, self.target, self.quality) = (listener, target, quality)
  }

  /// Works until the listener is shut down.
  mutating func run() {
    while wait(), acceptCallers() {
      let (now, quality) = (Self.now(), quality.withLock { $0 })
      allowance.refill(rate: quality.rate, now: now)
      for number in lanes.indices {
        lanes[number].take(delay: quality.delay, now: now)
        lanes[number].deliver(now: now, allowance: &allowance)
      }
      hangUp()
      // Whoever was first comes last, so that a narrow link is shared.
      if lanes.count > 2 { lanes.append(lanes.removeFirst()) }
    }
    for lane in lanes { lane.close() }
    close(listener)
  }

  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Waits until there is something to read, or something that was under way has arrived.
  private func wait() -> Bool {
    var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    var next = Double.infinity
    for lane in lanes {
      if lane.hasRoom { polled.append(pollfd(fd: lane.source, events: Int16(POLLIN), revents: 0)) }
      guard let due = lane.due else { continue }
      if lane.isBlocked {
        polled.append(pollfd(fd: lane.sink, events: Int16(POLLOUT), revents: 0))
      } else {
        next = min(next, max(due, lane.isLimited ? allowance.readyAt : due))
      }
    }
    let seconds = next.isFinite ? max(0, next - Self.now()) : 1
    let milliseconds = Int32((seconds * 1_000).rounded(.up))
    return poll(&polled, nfds_t(polled.count), milliseconds) >= 0 || errno == EINTR
  }

  /// False when the listener is gone.
  private mutating func acceptCallers() -> Bool {
    var caller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    while poll(&caller, 1, 0) == 1 {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return errno == EINTR || errno == ECONNABORTED }
      guard let server = try? RawSocket.connect(to: target) else {
        close(client)
        continue
      }
      for socket in [client, server] { Self.makeReady(socket) }
      // The first bytes of a connection follow its handshake, a round trip after the call.
      let opened = Self.now() + 2 * quality.withLock { $0.delay }
      lanes.append(Lane(from: client, to: server, openAt: opened, isLimited: false))
      lanes.append(Lane(from: server, to: client, openAt: 0, isLimited: true))
    }
    return true
  }

  private static func makeReady(_ socket: Int32) {
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    RawSocket.closeOnExec(socket)
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
  }

  /// Closes the connections of which both lanes have ended, or either is broken.
  private mutating func hangUp() {
    let ended = Set(lanes.filter(\.hasEnded).map(\.source))
    let broken = Set(lanes.filter(\.isBroken).map(\.source))
    let over = { (lane: Lane) in
      broken.contains(lane.source) || broken.contains(lane.sink)
        || (ended.contains(lane.source) && ended.contains(lane.sink))
    }
    for lane in lanes where over(lane) { lane.close() }
    lanes.removeAll(where: over)
  }
}
