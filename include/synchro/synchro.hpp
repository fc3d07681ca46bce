// All of the library. A program that uses one lock compiles faster with that lock's own header.

#ifndef SYNCHRO_SYNCHRO_HPP
#define SYNCHRO_SYNCHRO_HPP

#include "synchro/delegation/cc_synch.hpp"
#include "synchro/delegation/dsm_synch.hpp"
#include "synchro/delegation/flat_combining.hpp"
#include "synchro/delegation/locked.hpp"
#include "synchro/delegation/server.hpp"
#include "synchro/hash_table/hash_table.hpp"
#include "synchro/locks/array.hpp"
#include "synchro/locks/big_reader.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/phase_fair.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/locks/ticket_plain.hpp"
#include "synchro/locks/ticket_prefetch.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/messages/broadcast.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/mailbox.hpp"
#include "synchro/messages/message_barrier.hpp"
#include "synchro/messages/queue.hpp"
#include "synchro/messages/ring.hpp"
#include "synchro/messages/spin_fetching.hpp"
#include "synchro/node_guard.hpp"
#include "synchro/pool/fork_join_pool.hpp"
#include "synchro/recursive.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/stm/lock_table.hpp"
#include "synchro/stm/stm.hpp"
#include "synchro/stm/transaction.hpp"
#include "synchro/stm/tvar.hpp"
#include "synchro/sync/barrier.hpp"
#include "synchro/sync/condition_variable.hpp"
#include "synchro/sync/counting_semaphore.hpp"
#include "synchro/sync/event_count.hpp"
#include "synchro/sync/latch.hpp"
#include "synchro/sync/once.hpp"
#include "synchro/sync/seqlock.hpp"
#include "synchro/wakes/auto_event.hpp"
#include "synchro/wakes/cascade.hpp"
#include "synchro/wakes/event.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/rendezvous.hpp"

// Left out of an installation without them (docs/rights.md).
#if __has_include("synchro/locks/hierarchical/hmcs.hpp")
#include "synchro/locks/hierarchical/hclh.hpp"
#include "synchro/locks/hierarchical/hmcs.hpp"
#include "synchro/locks/hierarchical/hticket.hpp"
#endif

#endif
