extension StoreSchema {
  /// Fewer indexes, and no trigger, for what every save has to pass.
  static let exceptions: StaticString = """
    -- A row that is no exception costs a look at each index, whether or not it enters it: one index
    -- of all exceptions in a table is enough.
    DROP INDEX outbox_sending;
    DROP INDEX outbox_contested;
    DROP INDEX outbox_aside;
    DROP INDEX outbox_unknown;
    DROP INDEX outbox_deleting;
    CREATE INDEX outbox_exceptions ON outbox (phase, number, change, form)
      WHERE phase = 'sending' OR phase = 'contested' OR phase = 'setAside' OR change = 'delete'
        OR form <> 1;
    DROP INDEX documents_hidden;
    DROP INDEX documents_shown;
    CREATE INDEX documents_exceptions ON documents (number) WHERE hidden OR shown IS NOT NULL;

    -- The number, by which they're in order, is at the end of each anyway.
    DROP INDEX outbox_waiting;
    CREATE INDEX outbox_waiting ON outbox (scope, is_last) WHERE phase = 'waiting';

    -- Whoever adds a document looks for files in it: the trigger took longer than the row does.
    DROP TRIGGER files_made;
    """
}
