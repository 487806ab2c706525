// libcurl and zlib for Swift. Swift can't call variadic C, so each form of setopt and getinfo that
// the transport needs has a small typed function here.
#ifndef CSYNC_CURL_SHIM_H
#define CSYNC_CURL_SHIM_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <zlib.h>

static inline CURLcode csync_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// The version of the libcurl that is loaded, as 0xXXYYZZ, and its features as CURL_VERSION_ bits.
static inline unsigned int csync_version(int *features) {
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  *features = info->features;
  return info->version_num;
}

// Whether it was built to know where the certificates lie that are trusted.
static inline _Bool csync_has_certificates(void) {
  const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info->age < CURLVERSION_SEVENTH || info->cainfo || info->capath;
}

static inline CURLcode csync_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode csync_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode csync_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode csync_easy_set_body_size(CURL *easy, curl_off_t size) {
  return curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, size);
}

static inline CURLcode csync_easy_set_reader(CURL *easy, curl_read_callback value) {
  return curl_easy_setopt(easy, CURLOPT_READFUNCTION, value);
}

static inline CURLcode csync_easy_set_seeker(CURL *easy, curl_seek_callback value) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode csync_easy_set_digest(CURL *easy) {
  return curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_DIGEST);
}

// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode csync_easy_set_writer(
    CURL *easy, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode csync_easy_set_socket_opener(CURL *easy, curl_opensocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode csync_easy_set_request_gate(CURL *easy, curl_prereq_callback value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

// What curl_easy_getinfo says, or -1 where it says nothing.
static inline long csync_easy_long(CURL *easy, CURLINFO info) {
  long value = -1;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}

// The pointer set with CURLOPT_PRIVATE.
static inline void *csync_easy_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode csync_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Copies the address bytes out, in network order. Returns 4, 16, or 0 for another family.
static inline int csync_address_bytes(const struct curl_sockaddr *from, unsigned char *into) {
  if (from->family == AF_INET) {
    memcpy(into, &((const struct sockaddr_in *)(const void *)&from->addr)->sin_addr, 4);
    return 4;
  }
  if (from->family == AF_INET6) {
    memcpy(into, &((const struct sockaddr_in6 *)(const void *)&from->addr)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

// A socket for that address that no child process inherits, where the system can say so at once.
static inline curl_socket_t csync_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  return socket(address->family, address->socktype, address->protocol);
#endif
}

static inline CURLcode csync_easy_set_socket_closer(CURL *easy, curl_closesocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

// The local port of a socket of that family; -1 for one of the other, or that has none.
static inline int csync_local_port(curl_socket_t socket, int is_six) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &size) != 0) return -1;
  if (address.ss_family != (is_six ? AF_INET6 : AF_INET)) return -1;
  // The port stands at the same place in both families.
  return ntohs(((const struct sockaddr_in *)(const void *)&address)->sin_port);
}

// What lies unread on a socket: 0 nothing, 1 bytes, -1 the other side's end or an error.
static inline int csync_peek(curl_socket_t socket) {
  char byte;
  ssize_t count;
  do {
    count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count > 0) return 1;
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -1;
}

// How many bytes the system has taken from the other side of a TCP connection in all, read or not;
// -1 where it doesn't say. The C library's struct ends before that field, so that the start of the
// kernel's stands here (Linux 4.1, <linux/tcp.h>, which can't be included beside the C library's).
static inline long long csync_received_bytes(curl_socket_t socket) {
#if defined(__linux__)
  struct {
    unsigned char states[8];
    uint32_t counters[24];
    uint64_t rates[2];
    uint64_t acknowledged;
    uint64_t received;
  } info;
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, 11 /* TCP_INFO */, &info, &size) != 0) return -1;
  return size == sizeof info ? (long long)info.received : -1;
#else
  (void)socket;
  return -1;
#endif
}

#if defined(__ELF__)
// There where the TLS library is linked in, and nobody could look it up.
extern int SSL_pending(const void *connection) __attribute__((weak));
#endif

// How many bytes the TLS library has decrypted that libcurl hasn't read yet. Where libcurl uses
// another library than OpenSSL or one that is alike, nobody can tell: 0. The function is looked up,
// so that it is that of the very library that libcurl uses.
static inline int csync_tls_pending(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return 0;
  if (session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return 0;
#if defined(__ELF__)
  if (SSL_pending) return SSL_pending(session->internals);
#endif
#ifdef RTLD_DEFAULT
  void *found = dlsym(RTLD_DEFAULT, "SSL_pending");
#else
  void *found = dlsym(NULL, "SSL_pending");
#endif
  int (*pending)(const void *) = NULL;
  memcpy(&pending, &found, sizeof pending);
  return pending ? pending(session->internals) : 0;
}

// inflateInit2 is a macro. 15 is the largest window, 16 asks for gzip and nothing else.
static inline int csync_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
