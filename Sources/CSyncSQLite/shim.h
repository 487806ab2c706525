// The system's SQLite for Swift.
#ifndef CSYNC_SQLITE_SHIM_H
#define CSYNC_SQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift can't import: SQLite copies the bytes before it returns.
static inline sqlite3_destructor_type csync_sqlite_transient(void) { return SQLITE_TRANSIENT; }

#endif
