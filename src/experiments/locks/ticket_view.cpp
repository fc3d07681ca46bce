// How locks.ticket is shown.

#include "experiments/locks/locks.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

const line_options variants{
    .names = {{"ticket_plain", "ticket_plain (no back-off)"},
              {"ticket", "ticket (the library’s back-off)"},
              {"ticket_prefetch", "ticket_prefetch (the library’s back-off, prefetching)"},
              {"ticket_paper_plain", "ticket_paper_plain (the paper’s, no back-off)"},
              {"ticket_paper", "ticket_paper (the paper’s back-off)"},
              {"ticket_paper_prefetch", "ticket_paper_prefetch (the paper’s back-off, prefetching)"}}};

}  // namespace

void present_locks_ticket(experiment& e) {
  e.view.charts = {{"threads",
                    "The ticket lock and its waiting",
                    "Threads take a number and wait until it is called. Waiters that look less often (back-off in "
                    "proportion to their "
                    "place in the queue) leave the line to those who work. The paper’s own locks rest longer for each "
                    "place than the "
                    "library’s; they are there on simulated machines only.",
                    lines("threads", {"lock"}, variants),
                    "Fig. 3: the paper’s three",
                    {"latency_cycles", "latency", "bound"},
                    {},
                    {{"placement", "compact"}, {"protocol", "paused"}}}};
}

}  // namespace synchro::experiments
