import Foundation
import Testing

/// Names and addresses for a test: a library, loaded before the program's own (LD_PRELOAD), that
/// replaces the resolver, and redirects connections to ports of this machine. Other names and
/// addresses do not exist, so nothing leaves the machine.
struct NameServer {
  private var names: [String] = []
  private var routes: [String] = []
  private var authorities: [String] = []
  private var texts: [String] = []
  private var aliases: [String] = []
  /// A file with the seconds by which the program's clock is ahead; then, if it is to run faster, how
  /// many times, and since when. Nil for the machine's clock. It may change while the program runs.
  var clock: String?
  /// The kinds of file systems that paths are on, by their numbers in statfs(2). Tests run in
  /// containers too, where a state folder would be lost.
  var fileSystems = ["/": FileSystem.disk]
  /// The address of every name that does not exist, under a search domain of this machine.
  var searchAddress = ""
  private let library: String

  enum FileSystem: Int {
    case disk = 0xEF53
    case memory = 0x0102_1994
    case overlay = 0x794C_7630
  }

  init() throws { library = try Self.library.get() }

  /// A name with its addresses, in the order of the system's preference; or with one of the words
  /// `again` and `hangs`: the resolver fails, or does not answer.
  mutating func set(_ name: String, to addresses: String...) {
    names.append("\(name)=\(addresses.joined(separator: ","))")
  }

  /// CAA records of a name: values of the tag `issue`; or one of the words `again` and `hangs`: the
  /// resolver fails, or does not answer.
  mutating func setAuthorities(of name: String, to values: String...) {
    authorities.append("\(name)=\(values.joined(separator: ","))")
  }

  /// The TXT record of a name; after `@`, the file that has it, as soon as there is one.
  mutating func setText(of name: String, to value: String) {
    texts.append("\(name)=\(value.replacing(";", with: "|"))")
  }

  /// The CNAME record of a name.
  mutating func setAlias(of name: String, to target: String) {
    aliases.append("\(name)=\(target)")
  }

  /// Leads connections to a port of an address, such as `1.0.0.1:443`, to one of this machine; to port
  /// 0: there is no route.
  mutating func lead(_ address: String, to port: UInt16) { routes.append("\(address)=\(port)") }

  var environment: [String: String] {
    [
      "LD_PRELOAD": library, "TEST_NAMES": names.map { ";\($0);" }.joined(),
      "TEST_ROUTES": routes.map { ";\($0);" }.joined(),
      "TEST_CAA": authorities.map { ";\($0);" }.joined(), "TEST_CLOCK": clock ?? "",
      "TEST_ALIAS": aliases.map { ";\($0);" }.joined(),
      "TEST_SEARCH": searchAddress, "TEST_TXT": texts.map { ";\($0);" }.joined(),
      "TEST_FILE_SYSTEMS": fileSystems.map { ";\($0)=\($1.rawValue);" }.joined(),
    ]
  }

  static var isThere: Bool {
    #if os(Linux)
      (try? library.get()) != nil
    #else
      false
    #endif
  }

  private static let library = Result { try compiledLibrary(source, as: "names") }
}

extension Trait where Self == ConditionTrait {
  static var needsNameServer: Self {
    .enabled(if: NameServer.isThere, "no library can be put before the program's own")
  }
}

private let source = #"""
  #define _GNU_SOURCE
  #include <arpa/inet.h>
  #include <dlfcn.h>
  #include <errno.h>
  #include <fcntl.h>
  #include <netdb.h>
  #include <netinet/in.h>
  #include <resolv.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  #include <sys/socket.h>
  #include <sys/syscall.h>
  #include <sys/vfs.h>
  #include <time.h>
  #include <unistd.h>

  #define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

  /* The text after `;key=` in a variable, up to the next semicolon; 0 if there is none. */
  static const char *find(const char *variable, const char *key, char *value, size_t size) {
    char wanted[300];
    snprintf(wanted, sizeof wanted, ";%s=", key);
    const char *table = getenv(variable);
    const char *found = table ? strstr(table, wanted) : 0;
    if (!found) return 0;
    snprintf(value, size, "%s", found + strlen(wanted));
    value[strcspn(value, ";")] = 0;
    return value;
  }

  int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                  struct addrinfo **result) {
    char value[1000];
    char name[300];
    *result = 0;
    /* A name that ends with a dot is the same one, without search domains. */
    snprintf(name, sizeof name, "%s", host ? host : "");
    int is_complete = *name && name[strlen(name) - 1] == '.';
    if (is_complete) name[strlen(name) - 1] = 0;
    host = host ? name : 0;
    if (!host) return EAI_NONAME;
    if (!find("TEST_NAMES", host, value, sizeof value)) {
      const char *search = getenv("TEST_SEARCH");
      if (is_complete || !search || !*search) return EAI_NONAME;
      snprintf(value, sizeof value, "%s", search);
    }
    if (!strcmp(value, "again")) return EAI_AGAIN;
    if (!strcmp(value, "hangs")) for (;;) pause();
    struct addrinfo **end = result;
    for (char *rest = value, *one; (one = strsep(&rest, ","));) {
      int code = NEXT(getaddrinfo)(one, service, hints, end);
      if (code) return code;
      while (*end) end = &(*end)->ai_next;
    }
    return 0;
  }

  int statfs(const char *path, struct statfs *system) {
    char value[40];
    int code = NEXT(statfs)(path, system);
    if (!code && find("TEST_FILE_SYSTEMS", path, value, sizeof value)) system->f_type = atol(value);
    return code;
  }

  int clock_gettime(clockid_t clock, struct timespec *time) {
    int code = syscall(SYS_clock_gettime, clock, time), kept = errno;
    const char *path = getenv("TEST_CLOCK");
    if (code || clock != CLOCK_REALTIME || !path || !*path) return code;
    char text[80] = "";
    long long ahead = 0, speed = 1, base = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      if (read(file, text, sizeof text - 1) > 0) sscanf(text, "%lld %lld %lld", &ahead, &speed, &base);
      close(file);
    }
    errno = kept;
    long long passed = ((time->tv_sec - base) * 1000000000LL + time->tv_nsec) * (base ? speed : 1);
    time->tv_sec = base + ahead + passed / 1000000000;
    time->tv_nsec = passed % 1000000000;
    return 0;
  }

  static void put(unsigned char **end, int value) {
    *(*end)++ = value >> 8;
    *(*end)++ = value;
  }

  /* Writes a record without its content. */
  static void begin(unsigned char *answer, unsigned char **end, int class, int type, int length) {
    answer[7]++;
    *(*end)++ = 0;
    put(end, type);
    put(end, class);
    put(end, 0);
    put(end, 60);
    put(end, length);
  }

  /* Only CAA and TXT are asked for in this way. */
  int res_nquery(res_state state, const char *name, int class, int type, unsigned char *answer,
                 int size) {
    char value[1000];
    int isText = type == 16;
    /* A name server that the program names is a real one. */
    if (state->nsaddr_list[0].sin_family == AF_INET && state->nsaddr_list[0].sin_port != htons(53))
      return NEXT(res_nquery)(state, name, class, type, answer, size);
    state->res_h_errno = NO_DATA;
    if (!find(type == 5 ? "TEST_ALIAS" : isText ? "TEST_TXT" : "TEST_CAA", name, value, sizeof value))
      return -1;
    if (!strcmp(value, "again")) {
      state->res_h_errno = TRY_AGAIN;
      return -1;
    }
    if (!strcmp(value, "hangs")) for (;;) pause();
    if (*value == '@') {
      int file = open(value + 1, O_RDONLY | O_CLOEXEC);
      if (file < 0) return -1;
      ssize_t length = read(file, value, sizeof value - 1);
      close(file);
      if (length <= 0) return -1;
      value[length] = 0;
    }
    memset(answer, 0, 12);
    unsigned char *end = answer + 12;
    if (type == 5) {
      /* Labels, each behind its length. */
      begin(answer, &end, class, type, strlen(value) + 2);
      for (char *rest = value, *label; (label = strsep(&rest, "."));) {
        *end++ = strlen(label);
        memcpy(end, label, strlen(label));
        end += strlen(label);
      }
      *end++ = 0;
      return end - answer;
    }
    if (isText) {
      /* In two strings, as long ones are. */
      int length = strlen(value), half = length / 2;
      for (char *rest = value; (rest = strchr(rest, '|'));) *rest = ';';
      begin(answer, &end, class, type, length + 2);
      *end++ = half;
      memcpy(end, value, half);
      end += half;
      *end++ = length - half;
      memcpy(end, value + half, length - half);
      return end + length - half - answer;
    }
    for (char *rest = value, *one; (one = strsep(&rest, ","));) {
      begin(answer, &end, class, type, 7 + strlen(one));
      *end++ = 0;
      *end++ = 5;
      memcpy(end, "issue", 5);
      memcpy(end + 5, one, strlen(one));
      end += 5 + strlen(one);
    }
    return end - answer;
  }

  int connect(int socket, const struct sockaddr *address, socklen_t length) {
    char host[INET6_ADDRSTRLEN], key[80], value[80];
    int port;
    if (address->sa_family == AF_INET) {
      const struct sockaddr_in *four = (const struct sockaddr_in *)address;
      inet_ntop(AF_INET, &four->sin_addr, host, sizeof host);
      port = ntohs(four->sin_port);
    } else if (address->sa_family == AF_INET6) {
      const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
      /* The program's own form of IPv4 addresses is IPv6's. */
      if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr))
        inet_ntop(AF_INET, six->sin6_addr.s6_addr + 12, host, sizeof host);
      else
        inet_ntop(AF_INET6, &six->sin6_addr, host, sizeof host);
      port = ntohs(six->sin6_port);
    } else {
      return NEXT(connect)(socket, address, length);
    }
    if (!strncmp(host, "127.", 4)) return NEXT(connect)(socket, address, length);
    snprintf(key, sizeof key, "%s:%d", host, port);
    /* Port 0 stands for no way there. */
    int isKnown = find("TEST_ROUTES", key, value, sizeof value) != 0;
    if (isKnown && !strcmp(value, "0")) {
      errno = ENETUNREACH;
      return -1;
    }
    if (isKnown && address->sa_family == AF_INET6) {
      struct sockaddr_in6 here = {0};
      here.sin6_family = AF_INET6;
      here.sin6_port = htons(atoi(value));
      here.sin6_addr = in6addr_loopback;
      return NEXT(connect)(socket, (struct sockaddr *)&here, sizeof here);
    }
    if (!isKnown) {
      errno = ECONNREFUSED;
      return -1;
    }
    struct sockaddr_in here = {0};
    here.sin_family = AF_INET;
    here.sin_port = htons(atoi(value));
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return NEXT(connect)(socket, (struct sockaddr *)&here, sizeof here);
  }
  """#
