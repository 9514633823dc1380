// The resolver's questions beyond addresses (resolver(3)). In a module of its own, because its headers
// bring socket types, which would then belong to two modules.
#ifndef AASA_CRESOLVER_H
#define AASA_CRESOLVER_H

#include <netinet/in.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <string.h>

/// Asks the system's name servers for records of a type. Returns the answer's length; 0 when there is
/// no such name or record; -1 when nobody could tell.
static inline int aasa_dns_query(
    const char *name, int type, unsigned char *answer, int size) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return -1;
  state.retrans = 3;
  state.retry = 2;
  int length = res_nquery(&state, name, ns_c_in, type, answer, size);
  int code = state.res_h_errno;
  res_nclose(&state);
  if (length >= 0) return length;
  return code == HOST_NOT_FOUND || code == NO_DATA ? 0 : -1;
}

#endif
