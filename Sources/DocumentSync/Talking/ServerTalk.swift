import SyncLock

/// What is said between one sync and its server: makes it wait its turn, tries again what may be
/// tried again, and keeps how long the server is to be left alone.
///
/// What it decides, ``TalkState`` does.
final class ServerTalk: Sendable {
  let store: DocumentStore
  let server: String
  let seams: TalkSeams
  private let state: Locked<TalkState>

  /// A sync is to begin.
  init(
    _ store: DocumentStore, server: String, _ caller: TalkState.Caller, seams: TalkSeams
  ) async throws {
    let pause = try await store.read { try $0.pause(of: server) }
    self.store = store
    self.server = server
    self.seams = seams
    state = Locked(TalkState(pause: pause, caller, at: seams.now()))
  }

  /// Whether the server was in trouble when it was last heard of.
  var isProbing: Bool { state.withLock { $0.isProbing } }

  /// Whether a push is to leave a server in trouble alone, see ``TalkState``.
  func pushLeaves(isFollowed: Bool) -> Bool {
    state.withLock { $0.pushLeaves(isFollowed: isFollowed) }
  }

  /// For how long the server isn't to be asked again.
  var rest: Duration { state.withLock { [now = seams.now()] in $0.rest(at: now) } }

  /// Whether nothing is asked from the beginning.
  var isHeldUp: Bool { state.withLock { $0.end != nil } }

  /// Returns when a request may be made.
  ///
  /// - Throws: why none may be made any more.
  func turn() async throws {
    while true {
      switch state.withLock({ [now = seams.now()] in $0.turn(at: now) }) {
      case .now: return
      case .wait(let length): try await seams.sleep(length)
      case .over(let error): throw error
      }
    }
  }

  /// A request ended: what follows from it holds from now on.
  func ended(
    _ notice: ServerNotice, _ notes: CallNotes, sentAt began: Int64, in collection: String,
    as endpointError: EndpointError? = nil
  ) async throws {
    let now = seams.now()
    let pause = state.withLock { [random = seams.random()] state -> ServerPause? in
      let before = state.pause
      state.ended(notice, wishes: notes.wishes, sentAt: began, at: now, random: random) {
        endpointError.map { DocumentSyncError($0, in: collection) } ?? $0.error(in: collection)
      }
      return state.pause == before ? nil : state.pause
    }
    if let pause { try await store.sync { try $0.setPause(pause, of: server) } }
  }

  /// Asks until there is an answer, as often as one sync may.
  ///
  /// - Throws: why there is none: a ``DocumentSyncError``, or `CancellationError`.
  func ask<Reply>(
    about collection: String, notes: (Reply) -> CallNotes,
    _ question: () async throws -> Reply
  ) async throws -> Reply {
    while true {
      if let reply = try await askOnce(about: collection, notes: notes, question) { return reply }
    }
  }

  /// Asks once, when a request may be made; `nil` if that came to nothing, and may be tried again.
  ///
  /// - Throws: why nothing more is asked: a ``DocumentSyncError``, or `CancellationError`.
  func askOnce<Reply>(
    about collection: String, notes: (Reply) -> CallNotes,
    _ question: () async throws -> Reply
  ) async throws -> Reply? {
    try await turn()
    let began = seams.now()
    do {
      let reply = try await question()
      try await ended(.answers, notes(reply), sentAt: began, in: collection)
      return reply
    } catch let error as EndpointError {
      let notice = error.notice
      try await ended(notice, error.notes, sentAt: began, in: collection, as: error)
      if case .mustStop = notice { throw DocumentSyncError(error, in: collection) }
      return nil
    }
  }
}

extension ServerNotice {
  /// Why a sync ends with it, if it does.
  fileprivate func error(in collection: String) -> DocumentSyncError? {
    switch self {
    case .answers: nil
    case .isInTrouble(let trouble): DocumentSyncError(trouble)
    case .mustStop(let reason): DocumentSyncError(reason, in: collection)
    }
  }
}

/// What a sync takes from the world: the time, waits, and chance.
struct TalkSeams: Sendable {
  /// What time it is, in milliseconds since 1970.
  var now: @Sendable () -> Int64 = WallClock.milliseconds
  /// Returns after so long; throws when the task is cancelled.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// A number from 0 up to 1.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
}
