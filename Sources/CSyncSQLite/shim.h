// The system's SQLite for Swift.
#ifndef CSYNC_SQLITE_SHIM_H
#define CSYNC_SQLITE_SHIM_H

// The header shows the preupdate hook and the session extension only where these are defined; the
// library must have been built with them (Debian's is).
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#define SQLITE_ENABLE_SESSION 1
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift can't import: SQLite copies the bytes before it returns.
static inline sqlite3_destructor_type csync_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// sqlite3_db_config is variadic. Whether closing leaves the write-ahead log as it is (1) or moves
// it into the database first (0, SQLite's default).
static inline int csync_sqlite_keep_log_on_close(sqlite3 *database, int keep) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, (int *)0);
}

#endif
