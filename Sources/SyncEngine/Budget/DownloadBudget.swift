import SyncLock
import Synchronization

/// How many downloads several synchronizers have under way together, whatever
/// ``SyncOptions/concurrency`` each of them has of its own.
///
/// ```swift
/// let budget = DownloadBudget(8)
/// let albums = Synchronizer(processor: albums, options: SyncOptions(budget: budget))
/// let covers = Synchronizer(processor: covers, options: SyncOptions(budget: budget))
/// ```
///
/// Those that download at the same time have equally many under way, as far as they have work.
/// An item that waits for another attempt takes no place. A download that itself awaits a sync of
/// another synchronizer lends its place meanwhile, so that synchronizers within each other go on
/// with a budget of 1, too; one that awaits a task in which somebody else does so keeps its place.
/// A call that doesn't return keeps its place, too.
public final class DownloadBudget: Sendable {
  private let state: Locked<State>
  /// As the book says, for who has no time to ask it.
  private let isContended = Atomic(false)

  private struct State: Sendable {
    var book: PlaceBook
    var lastTicket = 0
    var waiting: [PlaceBook.Ticket: CheckedContinuation<Bool, Never>] = [:]
  }

  /// A budget of so many downloads; fewer than 1 are taken as 1.
  public init(_ places: Int) {
    state = Locked(State(book: PlaceBook(places: max(1, places))))
  }

  /// Who has places and who waits, as it is now.
  var book: PlaceBook { state.withLock { $0.book } }

  /// Says that so many downloads may go on at once; fewer than were said before changes nothing.
  /// For who finds out only then how many are of use.
  package func raise(to places: Int) {
    change { ([], $0.raise(to: places)) }
  }

  /// A download stage begins.
  func join() -> PlaceBook.ShareID {
    state.withLock { $0.book.join() }
  }

  /// A download stage has ended; what it held is free.
  func leave(_ share: PlaceBook.ShareID) {
    change { $0.leave(share) }
  }

  /// Waits for a place; answers `false` when the task was cancelled or the stage ended before.
  func take(for share: PlaceBook.ShareID) async -> Bool {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          // Under the lock: a cancellation before this is seen here, one after it finds the waiter.
          if Task.isCancelled || !state.book.has(share) { return false }
          if state.book.ask(ticket, for: share) { return true }
          isContended.store(state.book.isContended, ordering: .relaxed)
          state.waiting[ticket] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      change { book in
        book.forget(ticket, of: share)
        return ([ticket], [])
      }
    }
  }

  /// A download stage begins nothing more: nobody waits for a place of its any longer.
  func refuse(_ share: PlaceBook.ShareID) {
    change { ($0.refuse(share), []) }
  }

  /// A place that was lent is taken again, also where none is free: who gets one next waits until
  /// there are as many as there should be.
  func takeAgain(_ share: PlaceBook.ShareID) {
    change { book in
      book.takeAgain(share)
      return ([], [])
    }
  }

  /// A place isn't needed any more.
  func giveBack(_ share: PlaceBook.ShareID) {
    change { ([], $0.giveBack(share)) }
  }

  /// Whether nobody has a better claim to a place that this share holds.
  func mayKeep(_ share: PlaceBook.ShareID) -> Bool {
    guard isContended.load(ordering: .relaxed) else { return true }
    return state.withLock { $0.book.mayKeep(share) }
  }

  /// Changes the book, then tells those who waited in vain and those who have a place now.
  private func change(
    _ body: (inout PlaceBook) -> (vain: [PlaceBook.Ticket], granted: [PlaceBook.Ticket])
  ) {
    let told = state.withLock { state in
      let (vain, granted) = body(&state.book)
      isContended.store(state.book.isContended, ordering: .relaxed)
      return (vain.map { ($0, false) } + granted.map { ($0, true) }).map { ticket, isGranted in
        (state.waiting.removeValue(forKey: ticket), isGranted)
      }
    }
    for (continuation, isGranted) in told { continuation?.resume(returning: isGranted) }
  }
}
