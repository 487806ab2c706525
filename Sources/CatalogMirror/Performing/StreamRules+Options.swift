extension StreamRules {
  convenience init(_ options: MirrorOptions, _ sizes: PartSizes) {
    self.init(
      options.streams > 0 ? .count(options.streams) : .automatic, sizes: sizes,
      spare: DescriptorLimit.spare(
        besideDownloads: options.effectiveConcurrency, ofRunsAtOnce: options.runsAtOnce))
  }
}
