package import SyncLedger

/// What makes the next pass ask only for what is new: of a catalog's listing, and of its pages.
package typealias ListingValidators = Validators<PageRecord>

extension PageRecord: PageRemembered {}

extension IndexAccess {
  /// The validators that were kept under these options; `nil` when there are none, or others.
  package func validators(fingerprint: String) throws -> ListingValidators? {
    try validators(of: PageRecord.self, fingerprint: fingerprint)
  }
}

extension ValueName {
  /// The id that the folder's marker carries too.
  package static let folderID = ValueName("folder.id")
  /// The catalog's address, without secrets.
  package static let catalog = ValueName("catalog")
  /// The identity of the catalog that the folder mirrors. The caller compares.
  package static let catalogIdentity = ValueName("catalog.identity")
  /// What tells the set of directories that the last run couldn't read from others. The caller
  /// compares.
  package static let unreadableDirectories = ValueName("directories.unreadable")
  /// The first of these directories with their reasons, in lines; only shown to people.
  package static let unreadableList = ValueName("directories.unreadable.list")
  /// Why the last run that got a listing couldn't remove anything, in lines. The caller compares.
  package static let partialReasons = ValueName("listing.partial")
  /// What tells the scope of the last run from others; absent, it was everything. The caller
  /// compares.
  package static let scope = ValueName("scope")
  /// Whether any run wanted contents: `no` while all were of previews only.
  package static let wantsContents = ValueName("contents.wanted")
  /// The empty directories that the source has.
  package static let listedDirectories = ValueName("directories.empty")
  /// The empty directories that a run made.
  package static let madeDirectories = ValueName("directories.made")
  /// How many items a run may remove at once, by the last run's options.
  package static let removalRule = ValueName("rules.removal")
  /// How many seconds removed files are kept, by the last run's options.
  package static let keepingRule = ValueName("rules.kept")
  /// What the filters of the last run were, in lines for people.
  package static let filterRules = ValueName("rules.filters")
  /// The highest ordered revision seen. The caller compares.
  package static let highestRevision = ValueName("revision.highest")
}
