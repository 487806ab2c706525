// libcurl for Swift. Swift can't call variadic C, so each form of setopt and getinfo that the
// transport needs has a small typed function here.
#ifndef CSYNC_CURL_SHIM_H
#define CSYNC_CURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode csync_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode csync_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

#endif
