// relay TARGET: a link to a port of this machine that is far away or narrow.
//
// Prints its own port. Each line of its input, "DELAY RATE", says what the link is like from then
// on: the seconds that every byte is under way, each way, and the bytes a second towards the client
// over all connections, 0 for any number. It ends with its input. C, since it shares the machine
// with what is measured.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Two for each connection; rclone opens over a thousand at once.
enum { most_lanes = 8192, chunk_size = 65536 };
// More than a link of 100 MiB/s holds in 100 ms; and what a narrow one may hold back, so that the
// sender feels how narrow it is.
static const size_t room = 16 << 20, narrow_room = 256 << 10;
// No more than this is saved up on a narrow link.
static const double burst = 32768;

// Bytes under way; none stand for the end.
struct chunk {
  struct chunk *next;
  double due;
  size_t length, sent;
  char bytes[];
};

// One direction of a connection. The other one is its neighbour in the table.
struct lane {
  int source, sink;
  // The first bytes of a connection follow its handshake.
  double open_at;
  struct chunk *first, **last;
  size_t waiting;
  int is_limited, is_readable, is_blocked, has_source_ended, has_ended, is_broken;
};

static struct lane lanes[most_lanes];
static size_t count, turn;
static double delay, rate, allowance, filled_at;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void require(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "relay: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int has_room(const struct lane *lane) {
  return !lane->has_source_ended &&
         lane->waiting < (lane->is_limited && rate > 0 ? narrow_room : room);
}

static void put(struct lane *lane, const char *bytes, size_t length, double time) {
  struct chunk *chunk = malloc(sizeof *chunk + length);
  require(chunk != NULL, "no memory");
  *chunk = (struct chunk){
      .due = (time > lane->open_at ? time : lane->open_at) + delay, .length = length};
  memcpy(chunk->bytes, bytes, length);
  *lane->last = chunk;
  lane->last = &chunk->next;
  lane->waiting += length;
}

static void drop_first(struct lane *lane) {
  struct chunk *chunk = lane->first;
  lane->first = chunk->next;
  if (!lane->first) lane->last = &lane->first;
  free(chunk);
}

// Takes what the source has.
static void take(struct lane *lane, double time) {
  static char bytes[chunk_size];
  while (lane->is_readable && has_room(lane)) {
    ssize_t length = recv(lane->source, bytes, sizeof bytes, 0);
    if (length < 0) {
      lane->is_broken |= errno != EAGAIN && errno != EINTR;
      lane->is_readable = 0;
      return;
    }
    lane->has_source_ended = length == 0;
    put(lane, bytes, length, time);
    if ((size_t)length < sizeof bytes) lane->is_readable = 0;
  }
}

// How many of these bytes may pass now.
static size_t most(const struct lane *lane, size_t length) {
  if (!lane->is_limited || rate <= 0) return length;
  double wanted = length < burst / 2 ? length : burst / 2;
  if (allowance < wanted) return 0;
  return allowance < length ? (size_t)allowance : length;
}

// Gives to the sink what has arrived.
static void deliver(struct lane *lane, double time) {
  lane->is_blocked = 0;
  while (lane->first && lane->first->due <= time) {
    struct chunk *chunk = lane->first;
    if (chunk->length == 0) {
      shutdown(lane->sink, SHUT_WR);
      lane->has_ended = 1;
      drop_first(lane);
      return;
    }
    size_t length = most(lane, chunk->length - chunk->sent);
    if (length == 0) return;
    ssize_t sent = send(lane->sink, chunk->bytes + chunk->sent, length, MSG_NOSIGNAL);
    if (sent < 0) {
      lane->is_blocked = errno == EAGAIN;
      lane->is_broken |= errno != EAGAIN && errno != EINTR;
      return;
    }
    if (lane->is_limited && rate > 0) allowance -= sent;
    lane->waiting -= sent;
    chunk->sent += sent;
    if (chunk->sent == chunk->length) drop_first(lane);
  }
}

// When this lane is to be served again; infinity where only its sockets can tell.
static double due(const struct lane *lane) {
  if (!lane->first || lane->is_blocked) return INFINITY;
  double time = lane->first->due;
  if (!lane->is_limited || rate <= 0 || allowance >= burst / 2) return time;
  double ready = filled_at + (burst / 2 - allowance) / rate;
  return time > ready ? time : ready;
}

static void close_pair(size_t number) {
  for (size_t lane = number; lane < number + 2; lane++) {
    close(lanes[lane].source);
    while (lanes[lane].first) drop_first(lanes + lane);
  }
  count -= 2;
  for (size_t side = 0; side < 2 && number != count; side++) {
    struct lane *moved = lanes + number + side;
    *moved = lanes[count + side];
    if (!moved->first) moved->last = &moved->first;
  }
}

static void hang_up(void) {
  for (size_t number = 0; number < count;) {
    struct lane *one = lanes + number, *other = one + 1;
    if (one->is_broken || other->is_broken || (one->has_ended && other->has_ended))
      close_pair(number);
    else
      number += 2;
  }
}

static struct sockaddr_in place(int port) {
  return (struct sockaddr_in){
      .sin_family = AF_INET,
      .sin_port = htons(port),
      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void make_ready(int socket) {
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
}

static void open_pair(int client, int port) {
  struct sockaddr_in target = place(port);
  int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int is_there = server >= 0 && connect(server, (void *)&target, sizeof target) == 0;
  if (!is_there || count + 2 > most_lanes) {
    close(client);
    close(server);
    return;
  }
  make_ready(client);
  make_ready(server);
  struct lane *lane = lanes + count;
  lane[0] = (struct lane){.source = client, .sink = server, .open_at = now() + 2 * delay};
  lane[1] = (struct lane){.source = server, .sink = client, .is_limited = 1};
  for (size_t side = 0; side < 2; side++) lane[side].last = &lane[side].first;
  count += 2;
}

static int listen_anywhere(void) {
  struct sockaddr_in here = place(0);
  socklen_t length = sizeof here;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  require(
      listener >= 0 && bind(listener, (void *)&here, sizeof here) == 0 &&
          listen(listener, 1024) == 0 && getsockname(listener, (void *)&here, &length) == 0,
      "no port");
  printf("%d\n", ntohs(here.sin_port));
  fflush(stdout);
  return listener;
}

// What is waited for: the input, the listener, and for each lane its source or its sink.
static struct pollfd polled[2 + 2 * most_lanes];
static struct lane *readers[2 + 2 * most_lanes];

static size_t fill(int listener, double *next) {
  size_t used = 0;
  polled[used++] = (struct pollfd){.fd = 0, .events = POLLIN};
  polled[used++] = (struct pollfd){.fd = listener, .events = POLLIN};
  for (size_t number = 0; number < count; number++) {
    struct lane *lane = lanes + number;
    if (has_room(lane)) {
      readers[used] = lane;
      polled[used++] = (struct pollfd){.fd = lane->source, .events = POLLIN};
    }
    if (lane->is_blocked)
      polled[used++] = (struct pollfd){.fd = lane->sink, .events = POLLOUT};
    double time = due(lane);
    if (time < *next) *next = time;
  }
  return used;
}

static void wait_for(size_t used, double next) {
  double seconds = next - now();
  if (seconds < 0) seconds = 0;
  struct timespec limit = {0};
  if (isfinite(seconds)) {
    limit.tv_sec = (time_t)seconds;
    limit.tv_nsec = (long)((seconds - (time_t)seconds) * 1e9);
  }
  ppoll(polled, used, isfinite(seconds) ? &limit : NULL, NULL);
  for (size_t number = 2; number < used; number++)
    if (polled[number].events == POLLIN && polled[number].revents)
      readers[number]->is_readable = 1;
}

// Reads what the link is to be like; false at the end of the input.
static int read_quality(void) {
  char line[128];
  if (!fgets(line, sizeof line, stdin)) return 0;
  sscanf(line, "%lf %lf", &delay, &rate);
  allowance = 0;
  filled_at = now();
  printf("%.6f %.0f\n", delay, rate);
  fflush(stdout);
  return 1;
}

static void serve_lanes(double time) {
  if (rate > 0) {
    allowance += rate * (time - filled_at);
    if (allowance > burst) allowance = burst;
  }
  filled_at = time;
  for (size_t number = 0; number < count; number++) take(lanes + number, time);
  // Each time another one is the first, so that a narrow link is shared.
  turn++;
  for (size_t number = 0; number < count; number++)
    deliver(lanes + (turn + number) % count, time);
  hang_up();
}

int main(int arguments, char **values) {
  if (arguments != 2) return 64;
  int target = atoi(values[1]), listener = listen_anywhere();
  signal(SIGPIPE, SIG_IGN);
  for (;;) {
    double next = INFINITY;
    size_t used = fill(listener, &next);
    wait_for(used, next);
    if (polled[0].revents && !read_quality()) return 0;
    for (int client; (client = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;)
      open_pair(client, target);
    serve_lanes(now());
  }
}
