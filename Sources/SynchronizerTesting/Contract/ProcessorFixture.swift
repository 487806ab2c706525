public import OneWaySynchronizer

/// The world around your processor, as ``ProcessorContract`` needs it: a source whose items it can
/// set, and a local store that it can look into.
///
/// Each fixture has a source and a store of its own, both empty at first; the contract makes a new
/// one for every case. Contents are plain text: have your source serve that text, or something
/// made of it.
///
/// ```swift
/// struct NotesFixture: ProcessorFixture {
///   let server = NotesServer()
///   let folder = TemporaryFolder()
///   func makeProcessor() -> NotesProcessor { NotesProcessor(server: server, folder: folder) }
///   func setSource(_ contents: [String: String]) { server.notes = contents }
///   func localState() throws -> [String: String] { try folder.contentOfEveryFile() }
///   func tearDown() { folder.remove() }
/// }
/// ```
///
/// Like a processor, a fixture may be bound to `@MainActor` or be an actor.
public protocol ProcessorFixture: Sendable {
  /// The processor to check.
  associatedtype Processor: SyncProcessor
  /// The type of the items' keys.
  typealias ID = Processor.Item.ID

  /// At least five ordinary keys for the contract to use. Default for `String` keys: letters.
  var plainKeys: [ID] { get async }

  /// Keys that are hard to keep, all of which your processor promises to keep. Default for
  /// `String` keys: spaces, other scripts, case twins, characters with a meaning in paths and URLs.
  /// Leave out what your processor refuses on purpose. An empty list skips the check.
  var oddKeys: [ID] { get async }

  /// A new processor over this fixture's source and store, as after a restart of your program.
  func makeProcessor() async throws -> Processor

  /// Called when the contract is done with a processor, before it makes the next one. Default:
  /// nothing; let go here of what only one processor at a time may have.
  func close(_ processor: Processor) async throws

  /// Makes the source hold exactly these contents by key. What your source needs besides (a
  /// version, a date) it makes up: it changes when the content does, and only then. What was there
  /// before may come again.
  func setSource(_ contents: [ID: String]) async throws

  /// Everything that is held locally, by key, read from the store itself and not through a
  /// processor: as ``fingerprint(of:)`` where it is whole, and as something else where it isn't.
  /// A preview is no content: leave out an item of which only that is held.
  func localState() async throws -> [ID: String]

  /// What ``localState()`` says of an item whose source holds `content`. Default: the content.
  func fingerprint(of content: String) async -> String

  /// Makes the source misbehave, or, with `nil`, behave again. Returns whether it can.
  ///
  /// Default: `false`, and the checks that need it are listed as not checked. If your processor
  /// tries again by itself, have it do so without a pause here.
  func setInterception(_ interception: SourceInterception<ID>?) async throws -> Bool

  /// Makes the source give its list in this form from now on. Returns whether it can.
  ///
  /// A source that can give only whole lists leaves nothing to check of the other forms. Default:
  /// `true` for ``ListForm/whole``, `false` for the others.
  func setListForm(_ form: ListForm<ID>) async throws -> Bool

  /// Called when the contract is done with this fixture. Default: nothing.
  func tearDown() async
}

extension ProcessorFixture {
  /// Nothing.
  public func close(_ processor: Processor) async throws {}

  /// The content itself.
  public func fingerprint(of content: String) async -> String { content }

  /// `false`: this source always behaves.
  public func setInterception(_ interception: SourceInterception<ID>?) async throws -> Bool {
    false
  }

  /// Whether it is the form of a whole list: this source has no other.
  public func setListForm(_ form: ListForm<ID>) async throws -> Bool { form == .whole }

  /// Nothing.
  public func tearDown() async {}

  /// None: not checked.
  public var oddKeys: [ID] { [] }
}

extension ProcessorFixture where Processor.Item.ID == String {
  /// The letters from a to e.
  public var plainKeys: [String] { ["a", "b", "c", "d", "e"] }

  /// Keys with all that paths, URLs, queries and case-folding stores trip over.
  public var oddKeys: [String] {
    [
      "with space", " leading", "trailing ", "dot.", ".hidden", "..", "a/b", "a//b", "/root",
      "back\\slash", "per%cent", "a%2Fb", "a+b", "q?x=1&y=2#z", "colon:star*", "quote'\"",
      "UPPER", "upper", "émigré", "日本語", "emoji 🎈", "new\nline", "-dash", "semi;colon",
      String(repeating: "long", count: 40),
    ]
  }
}

/// What a fixture's source does at a certain moment in place of serving quietly.
public struct SourceInterception<ID: Hashable & Sendable>: Sendable {
  /// When to run the action.
  public var moment: Moment
  /// What to run. If it throws, the source breaks off right there, as a broken connection would
  /// or with this error; if it returns, the source goes on as if nothing had been.
  public var action: @Sendable () async throws -> Void

  /// A moment in what a source does. The action is run each time it comes.
  public enum Moment: Sendable, Equatable {
    /// The list was asked for, and nothing of it was served yet.
    case list
    /// About half of the content of this key was served.
    case content(ID)
    /// About half of the preview of this key was served. A source without previews never comes to
    /// it.
    case preview(ID)
  }
}

/// In which form a fixture's source gives its list.
public enum ListForm<ID: Hashable & Sendable>: Sendable, Equatable {
  /// All items: that of a source that was told nothing.
  case whole
  /// The items of these keys and no others, as when one page of several came, in a way that lets
  /// the processor know that these aren't all.
  case part(Set<ID>)
  /// What changed since the processor asked last, and the keys that are gone since; a whole list
  /// for a processor that never asked.
  case changes
}

/// The error that ``ProcessorContract`` brings about.
public struct ContractFault: Error, Equatable, CustomStringConvertible {
  /// "the contract's deliberate fault"
  public var description: String { "the contract's deliberate fault" }
}
