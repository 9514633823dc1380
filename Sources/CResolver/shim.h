// The resolver's questions beyond addresses (resolver(3)). In a module of its own, because its headers
// bring socket types, which would then belong to two modules.
#ifndef AASA_CRESOLVER_H
#define AASA_CRESOLVER_H

#include <netinet/in.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <stdlib.h>
#include <string.h>

/// Makes one name server the only one to ask.
static inline int aasa_set_name_server(struct __res_state *state, const struct sockaddr *server) {
#ifdef __APPLE__
  union res_sockaddr_union own;
  memset(&own, 0, sizeof own);
  memcpy(&own, server, server->sa_family == AF_INET ? sizeof own.sin : sizeof own.sin6);
  res_setservers(state, &own, 1);
#else
  state->nscount = 1;
  if (server->sa_family == AF_INET) {
    memcpy(&state->nsaddr_list[0], server, sizeof state->nsaddr_list[0]);
    return 0;
  }
  // glibc takes an address of IPv6 from here if the other place has no family, and frees it.
  free(state->_u._ext.nsaddrs[0]);
  state->_u._ext.nsaddrs[0] = (struct sockaddr_in6 *)malloc(sizeof(struct sockaddr_in6));
  if (!state->_u._ext.nsaddrs[0]) return -1;
  memcpy(state->_u._ext.nsaddrs[0], server, sizeof(struct sockaddr_in6));
  state->nsaddr_list[0].sin_family = 0;
#endif
  return 0;
}

/// Asks for records of a type: a name server, or the system's if that is null. Returns the answer's
/// length; 0 when there is no such name or record; -1 when nobody could tell.
static inline int aasa_dns_query(
    const char *name, int type, const void *server, unsigned char *answer, int size) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return -1;
  if (server && aasa_set_name_server(&state, (const struct sockaddr *)server) != 0) {
    res_nclose(&state);
    return -1;
  }
  state.retrans = 3;
  state.retry = 2;
  int length = res_nquery(&state, name, ns_c_in, type, answer, size);
  int code = state.res_h_errno;
  res_nclose(&state);
  if (length >= 0) return length;
  return code == HOST_NOT_FOUND || code == NO_DATA ? 0 : -1;
}

#endif
