import Foundation
import OneWaySynchronizer

// A daemon that keeps many feeds in step, each with a synchronizer of its own: one that is slow or
// broken holds up no other.

nonisolated struct Article: SyncItem {
  let id: String
  let version: Int
}

nonisolated protocol FeedServer: Sendable {
  func articles(in feed: String) async throws -> [Article]
  func text(of key: String, in feed: String) async throws -> String
}

/// The articles of one feed.
actor ArticleStore {
  private(set) var articles: [String: (version: Int, text: String)] = [:]
  func put(_ text: String, of article: Article) { articles[article.id] = (article.version, text) }
  func remove(_ keys: Set<String>) { for key in keys { articles[key] = nil } }
}

nonisolated struct FeedProcessor: SyncProcessor {
  let feed: String
  let server: any FeedServer
  let store: ArticleStore

  func fetchSourceList() async throws -> SourceList<Article> {
    .complete(try await server.articles(in: feed))
  }
  func localKeys() async throws -> Set<String> { Set(await store.articles.keys) }
  func removeLocalItems(_ keys: Set<String>) async throws { await store.remove(keys) }
  func shouldUpdate(_ article: Article) async throws -> Bool {
    await store.articles[article.id]?.version != article.version
  }
  func downloadContent(of article: Article) async throws {
    await store.put(try await server.text(of: article.id, in: feed), of: article)
  }
}

nonisolated final class FeedDaemon: Sendable {
  private let feeds: [String: Synchronizer<FeedProcessor>]
  private let log: @Sendable (String) -> Void

  init(
    _ stores: [String: ArticleStore], server: any FeedServer,
    clock: some Clock<Duration> = ContinuousClock(), log: @escaping @Sendable (String) -> Void
  ) {
    var options = SyncOptions(stopOnError: false)
    options.retries = DownloadRetries(attempts: 3)
    options.timeLimits = TimeLimits(stage: .seconds(60), download: .seconds(300))
    feeds = Dictionary(
      uniqueKeysWithValues: stores.map { [options] feed, store in
        let processor = FeedProcessor(feed: feed, server: server, store: store)
        return (feed, Synchronizer(processor: processor, options: options, clock: clock))
      })
    self.log = log
  }

  /// Keeps all feeds in step until `stop` returns, on a signal say, and returns when nothing goes on
  /// any more. What was fetched whole is kept.
  func run(every interval: Duration, until stop: () async -> Void) async {
    await withDiscardingTaskGroup { group in
      for (feed, synchronizer) in feeds {
        group.addTask { await self.keepInStep(feed, synchronizer, every: interval) }
      }
      await stop()
      group.cancelAll()
    }
    // A loop that ends takes its own run along; a request has nobody who could leave.
    for (feed, synchronizer) in feeds {
      do { try await synchronizer.drain() } catch { log("\(feed): \(error.localizedDescription)") }
    }
  }

  /// Somebody says that a feed has changed. Returns at once; many calls are one run.
  func feedChanged(_ feed: String) { feeds[feed]?.requestSync() }

  var isIdle: Bool { feeds.values.allSatisfy { !$0.isSyncing } }

  private func keepInStep(
    _ feed: String, _ synchronizer: Synchronizer<FeedProcessor>, every interval: Duration
  ) async {
    for await result in synchronizer.syncs(every: interval, tolerance: interval / 10) {
      switch result {
      case .success(let report): log("\(feed): \(report)")
      case .failure(let error): log("\(feed): \(error.localizedDescription)")
      }
    }
  }
}
