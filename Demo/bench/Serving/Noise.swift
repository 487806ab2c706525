/// Bytes that are the same for the same seed (SplitMix64, Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014) and that no compression shortens.
struct Noise: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Noise that belongs to a text (its FNV-1a hash is the seed).
  init(of text: String) {
    state = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The next bytes, as many as asked for.
  mutating func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var start = 0
      while start < count {
        withUnsafeBytes(of: next()) { word in
          let length = min(8, count - start)
          UnsafeMutableRawBufferPointer(buffer)[start..<start + length].copyBytes(
            from: word[..<length])
          start += length
        }
      }
      filled = count
    }
  }
}
