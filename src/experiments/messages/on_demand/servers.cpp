#include "experiments/messages/server.hpp"
#include "measure/host.hpp"

namespace synchro::experiments::messages {

namespace {

template <class Waiting>
server_outcome serve(const std::string& size, const server_task& task) {
  return size == "word" ? serve_clients<measure::host, word_message, Waiting>(task)
                        : serve_clients<measure::host, line_message, Waiting>(task);
}

const bool defined = serve_by.is([](const std::string& means, const std::string& size, const server_task& task) {
  return means == "mailbox/yield" ? serve<spin_yield>(size, task) : serve<spin>(size, task);
});

}  // namespace

}  // namespace synchro::experiments::messages
