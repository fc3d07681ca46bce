// Messages of one line from one processor to another, with nothing of this project in it but the ring that is asked about.

#ifndef BENCH_MESSAGES_BARE_HPP
#define BENCH_MESSAGES_BARE_HPP

namespace bare {

/// Nanoseconds of one message in a stream: the median over batches. Negative if a thread could not be pinned.
/// `fetching`: each side asks for the line in a writable state before it looks.
double one_way(int from, int to, bool fetching);

/// Nanoseconds of one message that a client sends to a server and has back, whole: the median over batches. The server has
/// one client. Negative if a thread could not be pinned or an answer was not its request. `fetching`: as above.
double answered(int client, int server, bool fetching);

/// Nanoseconds of one message of a client that a server takes: the median over batches. Negative if a thread could not be pinned
/// or a message was not the next one.
double taken(int client, int server);

/// Nanoseconds of one message in a stream through the library's ring, which has room for 64: the median over batches.
/// Negative if a thread could not be pinned or a message was not the next one.
double stream(int from, int to);

}  // namespace bare

#endif
