// floor DATABASE CELLS: writes rows whose values are ready in memory, and says how long that took.
//
// What stands in CELLS, a row a line with tabs between its cells, is taken apart before the clock
// starts: this is the least that the same rows can cost through SQLite.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct item {
  sqlite3_int64 id, age;
  double score;
  const char *name, *email, *city, *updated;
};

static const char statement[] =
    "INSERT INTO items (id, name, email, age, score, city, updated) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET name = excluded.name, email = excluded.email, "
    "age = excluded.age, score = excluded.score, city = excluded.city, updated = excluded.updated "
    "WHERE name IS NOT excluded.name OR email IS NOT excluded.email OR age IS NOT excluded.age "
    "OR score IS NOT excluded.score OR city IS NOT excluded.city "
    "OR updated IS NOT excluded.updated";

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "floor: %s\n", what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

// All of a file, with a NUL behind it.
static char *text_of(const char *path) {
  FILE *file = fopen(path, "rb");
  require(file && fseek(file, 0, SEEK_END) == 0, "the cells can't be read");
  long size = ftell(file);
  char *text = malloc(size + 1);
  require(text != NULL, "not enough memory");
  rewind(file);
  require(fread(text, 1, size, file) == (size_t)size, "the cells can't be read");
  fclose(file);
  text[size] = 0;
  return text;
}

// Ends the cell that begins at the cursor, and goes on to the next one.
static char *cell(char **cursor) {
  char *start = *cursor, *end = strpbrk(start, "\t\n");
  require(end != NULL, "a cell has no end");
  *end = 0;
  *cursor = end + 1;
  return start;
}

static struct item *items_of(char *text, size_t *count) {
  size_t lines = 0;
  for (char *next = text; (next = strchr(next, '\n')); next++) lines++;
  struct item *items = calloc(lines + 1, sizeof *items);
  require(items != NULL, "not enough memory");
  char *cursor = text;
  for (struct item *item = items; item < items + lines; item++) {
    item->id = atoll(cell(&cursor));
    item->name = cell(&cursor);
    item->email = cell(&cursor);
    item->age = atoll(cell(&cursor));
    item->score = strtod(cell(&cursor), NULL);
    item->city = cell(&cursor);
    item->updated = cell(&cursor);
  }
  *count = lines;
  return items;
}

static void write_items(sqlite3 *database, const struct item *items, size_t count) {
  sqlite3_stmt *insert;
  require(
      sqlite3_exec(database, "BEGIN IMMEDIATE", 0, 0, 0) == SQLITE_OK &&
          sqlite3_prepare_v2(database, statement, -1, &insert, 0) == SQLITE_OK,
      sqlite3_errmsg(database));
  for (size_t number = 0; number < count; number++) {
    const struct item *item = items + number;
    sqlite3_bind_int64(insert, 1, item->id);
    sqlite3_bind_text(insert, 2, item->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, item->email, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 4, item->age);
    sqlite3_bind_double(insert, 5, item->score);
    sqlite3_bind_text(insert, 6, item->city, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 7, item->updated, -1, SQLITE_STATIC);
    require(sqlite3_step(insert) == SQLITE_DONE, sqlite3_errmsg(database));
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  require(sqlite3_exec(database, "COMMIT", 0, 0, 0) == SQLITE_OK, sqlite3_errmsg(database));
}

static int synchronous(sqlite3 *database) {
  sqlite3_stmt *query;
  require(
      sqlite3_prepare_v2(database, "PRAGMA synchronous", -1, &query, 0) == SQLITE_OK &&
          sqlite3_step(query) == SQLITE_ROW,
      sqlite3_errmsg(database));
  int value = sqlite3_column_int(query, 0);
  sqlite3_finalize(query);
  return value;
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  size_t lines;
  struct item *items = items_of(text_of(arguments[2]), &lines);
  sqlite3 *database;
  require(sqlite3_open(arguments[1], &database) == SQLITE_OK, "the database can't be opened");
  int waits = synchronous(database);
  double began = now();
  write_items(database, items, lines);
  double seconds = now() - began;
  sqlite3_close(database);
  printf("{\"seconds\":%.9f,\"synchronous\":%d}\n", seconds, waits);
  return 0;
}
