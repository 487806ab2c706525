extension Hasher {
  /// A hash of 64 bits, which tells values apart, also where an `Int` has 32, as on some watches.
  ///
  /// - Parameter bits: How many bits a hash has. Default: those of an `Int`.
  package func digest(bits: Int = Int.bitWidth) -> UInt64 {
    let hash = UInt64(truncatingIfNeeded: finalize())
    guard bits < 64 else { return hash }
    var longer = self
    longer.combine(true)
    return hash << 32 | UInt64(UInt32(truncatingIfNeeded: longer.finalize()))
  }
}
