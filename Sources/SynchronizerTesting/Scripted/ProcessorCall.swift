public import OneWaySynchronizer

/// One call that the engine made to a processor, with what it was given.
public enum ProcessorCall<ID: Hashable & Sendable>: Sendable, Equatable {
  /// `syncWillBegin()`
  case begin
  /// `fetchSourceList()`
  case fetch
  /// `localKeys()`
  case localKeys
  /// `removeLocalItems(_:)` with these keys
  case remove(Set<ID>)
  /// `itemsToUpdate(among:)` with the items of these keys, in this order
  case itemsToUpdate([ID])
  /// `prepareDownload(of:)` with the items of these keys, in this order
  case prepare([ID])
  /// `downloadPreview(of:)`
  case preview(ID)
  /// `downloadContent(of:)`
  case content(ID)
  /// `commitDownloads()`
  case commit
  /// `syncDidEnd(_:)` with a report of this outcome
  case end(PassOutcome)
}

extension ProcessorCall: CustomStringConvertible {
  /// A few words, such as `content a`.
  public var description: String {
    switch self {
    case .begin: "begin"
    case .fetch: "fetch"
    case .localKeys: "localKeys"
    case .remove(let keys): "remove \(keys.map { "\($0)" }.sorted())"
    case .itemsToUpdate(let keys): "itemsToUpdate \(keys)"
    case .prepare(let keys): "prepare \(keys)"
    case .preview(let key): "preview \(key)"
    case .content(let key): "content \(key)"
    case .commit: "commit"
    case .end(let outcome): "end \(outcome)"
    }
  }
}

/// Where in a pass a script steps in: a call regardless of what it is given, but for the key of a
/// download.
public enum CallPlace<ID: Hashable & Sendable>: Sendable, Hashable {
  /// `syncWillBegin()`
  case begin
  /// `fetchSourceList()`
  case fetch
  /// `localKeys()`
  case localKeys
  /// `removeLocalItems(_:)`
  case remove
  /// `itemsToUpdate(among:)`
  case itemsToUpdate
  /// `prepareDownload(of:)`
  case prepare
  /// `downloadPreview(of:)` of this key
  case preview(ID)
  /// `downloadPreview(of:)` of any key
  case anyPreview
  /// `downloadContent(of:)` of this key
  case content(ID)
  /// `downloadContent(of:)` of any key
  case anyContent
  /// `commitDownloads()`
  case commit
  /// `syncDidEnd(_:)`
  case end

  /// Whether a call happens at this place.
  public func matches(_ call: ProcessorCall<ID>) -> Bool {
    switch call {
    case .begin: self == .begin
    case .fetch: self == .fetch
    case .localKeys: self == .localKeys
    case .remove: self == .remove
    case .itemsToUpdate: self == .itemsToUpdate
    case .prepare: self == .prepare
    case .preview(let key): self == .preview(key) || self == .anyPreview
    case .content(let key): self == .content(key) || self == .anyContent
    case .commit: self == .commit
    case .end: self == .end
    }
  }
}

/// A line in the log of a ``ScriptedProcessor``.
public enum CallLogEntry<ID: Hashable & Sendable>: Sendable, Equatable {
  /// The engine made a call.
  case began(ProcessorCall<ID>)
  /// A call returned to the engine.
  case ended(ProcessorCall<ID>, CallEnding)
}

/// How a call to a ``ScriptedProcessor`` returned to the engine.
public enum CallEnding: Sendable, Equatable {
  /// With an answer.
  case succeeded
  /// With an error, described by this text.
  case failed(String)
  /// With `CancellationError`.
  case cancelled
}
