#if canImport(FoundationEssentials)
  // What Foundation has for it would load all of Foundation; the standard library's own is the
  // same.
  @_spi(_Unicode) import Swift
#else
  import SyncEssentials
#endif

/// Unicode's normal forms (Unicode Standard Annex 15).
extension String {
  /// In form D: letters without their marks, and the marks behind them in one order.
  package var decomposed: String {
    #if canImport(FoundationEssentials)
      var text = ""
      text.unicodeScalars.append(contentsOf: _nfd)
      return text
    #else
      return decomposedStringWithCanonicalMapping
    #endif
  }

  /// In form C: letters with their marks, where there are such.
  package var composed: String {
    #if canImport(FoundationEssentials)
      var text = ""
      text.unicodeScalars.append(contentsOf: _nfc)
      return text
    #else
      return precomposedStringWithCanonicalMapping
    #endif
  }
}
