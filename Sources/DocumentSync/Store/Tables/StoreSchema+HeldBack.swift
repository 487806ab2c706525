extension StoreSchema {
  /// What vanished and would have been too much to go, apart from what a list named whose end
  /// didn't come.
  static let heldBack: StaticString = """
    ALTER TABLE vanished ADD COLUMN held_back INTEGER NOT NULL DEFAULT 0;
    -- Mostly, nothing else stayed there from one sync to the next.
    UPDATE vanished SET held_back = 1;
    """
}
