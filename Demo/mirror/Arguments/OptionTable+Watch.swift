import Console

extension OptionTable<Invocation> {
  /// The same table, in which one command takes all that another one does.
  func giving(
    _ command: Invocation.Command, whateverHas other: Invocation.Command
  ) -> OptionTable<Invocation> {
    OptionTable(
      groups.map { group in
        var group = group
        for place in group.options.indices where group.options[place].commands.contains(other) {
          group.options[place].commands.insert(command)
        }
        return group
      })
  }
}
