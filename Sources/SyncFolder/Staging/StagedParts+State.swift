extension StagedParts {
  /// How far the file and its hash have come.
  struct State {
    /// What is in the file.
    var written: ByteRanges
    /// How far the file is hashed, or will be once the queue has done with the pieces that it was
    /// given.
    var hashed: Int64
    /// Whether the hash follows from the file, up to all that is there without a gap.
    var isCatchingUp = false
    /// What the disk wasn't given to do yet.
    var unhurried = ByteRanges()
    var failure: FolderError?
    var isAbandoned = false
    var isHashedNoMore = false
    /// Whether nothing is left to be done with the file.
    var isOver = false

    var goesOn: Bool { failure == nil && !isAbandoned }
    var hashGoesOn: Bool { goesOn && !isHashedNoMore }
  }
}

extension StagedParts.State {
  /// How much is written before the disk is given it to do.
  private static let writeBackStep: Int64 = 8 << 20

  /// What is to be done after a range was written.
  ///
  /// - Returns: whether it is hashed as it is; whether the hash is behind from now on, and has to
  ///   follow from the file; and what the disk is to begin with.
  mutating func wrote(
    _ range: Range<Int64>, startsWriteBack: Bool
  ) -> (isInOrder: Bool, isBehind: Bool, unhurried: ByteRanges) {
    written.insert(range)
    let isInOrder = !isCatchingUp && range.lowerBound == hashed
    if isInOrder { hashed = range.upperBound }
    let isBehind = !isCatchingUp && hashed < written.prefix
    if isBehind { isCatchingUp = true }
    guard startsWriteBack else { return (isInOrder, isBehind, ByteRanges()) }
    unhurried.insert(range)
    guard unhurried.count >= Self.writeBackStep else {
      return (isInOrder, isBehind, ByteRanges())
    }
    defer { unhurried = ByteRanges() }
    return (isInOrder, isBehind, unhurried)
  }

  /// What the hash is behind by; where that is nothing, it takes the next bytes from memory again.
  mutating func nextBehind() -> Range<Int64>? {
    guard hashGoesOn else { return nil }
    isCatchingUp = hashed < written.prefix
    return isCatchingUp ? hashed..<written.prefix : nil
  }
}
