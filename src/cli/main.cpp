// The program `synchroscope`: what measures and shows it does itself; for what simulates, what proves, what judges many hosts and
// what stands in front of other programs it becomes another program.

#include <fmt/format.h>

#include "cli/advise.hpp"
#include "cli/commands.hpp"
#include "cli/programs.hpp"
#include "experiments/database/database.hpp"
#include "experiments/overhead/overhead.hpp"
#include "results/experiment_names.hpp"
#include "terminal/other_program.hpp"

namespace {

using namespace synchro::cli;

constexpr const char* about =
    "Synchroscope measures what synchronization costs on this machine: cache coherence, atomic operations, locks,\n"
    "delegation, messages, hash tables, transactional memory, waking threads, system calls, limiting concurrency,\n"
    "fork and join.\n"
    "Without a command it gives a guided tour in under a minute and writes results.json and report.html.";

std::string examples() {
  return fmt::format(
      "Examples:\n"
      "  synchroscope                                             a tour of this machine\n"
      "  synchroscope list                                        what can be measured\n"
      "  synchroscope run {} --quick -o r.json       how far apart the processors are\n"
      "  synchroscope run {} --threads 1,2,4-16:4 --lock mcs,ticket,std/mutex\n"
      "  synchroscope show r.json                                 the findings again; --tables for all numbers\n"
      "  synchroscope compare before.json after.json              what became faster or slower\n"
      "  synchroscope advise --threads 8 --gap 2000               which lock to take by the tour, and why\n"
      "  synchroscope report r.json -o report.html                charts, in one file for the browser\n"
      "  synchroscope export r.json -o r.xlsx                     for a spreadsheet\n"
      "  synchroscope fleet gather answers/ -o fleet.html         which of many hosts differs from the others\n"
      "  synchroscope with mcs -- ./server                        a program with its locks replaced\n"
      "  synchroscope profile -- ./server                         which locks a program waits for, and why\n"
      "  synchroscope top -- ./server                             the same while it runs, as top shows processes\n"
      "  synchroscope tune -- ./batch                             the lock that suits a program best\n"
      "\n"
      "Exit status: 0 done, 1 a self-check failed or a proof was refuted, 2 a mistake on the command line\n"
      "or in a file, 3 this machine or account cannot do it, 4 unreliable (--strict), 5 slower\n"
      "(compare --fail-if-slower), 130 interrupted, 143 terminated. What was measured is kept.\n",
      synchro::results::experiment_names::coherence_pairs, synchro::results::experiment_names::locks_throughput);
}

/// Advice on a model is the other program's.
results_of_model of_other_program(const words& typed) {
  return [&typed](const std::string&, const synchro::advice::workload&) -> std::optional<synchro::results::document> {
    hand_over(simulate_program, typed);
  };
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = synchro::experiments::measured_for_another_process(argc, argv)) return *status;
  if (const auto status = synchro::experiments::answered_for_another_process(argc, argv)) return *status;
  return program(
      argc, argv, {about, examples(), "tour"},
      {tour_command(),
       run_command(),
       performed_by(simulate_program, "simulate", "Simulate experiments on models of other machines"),
       performed_by(simulate_program, "predict",
                    "Predict how a recorded program scales on models of other machines, and with which lock"),
       performed_by(simulate_program, "model", "Make a machine model for simulate from measurements"),
       show_command(),
       compare_command(),
       advise_command(of_other_program),
       report_command(),
       export_command(),
       performed_by(
           fleet_program, "fleet",
           "Compare the results files of many hosts: which host differs from the others of its kind, and in what"),
       performed_by(
           interpose_program, "with",
           "Run a program with its pthread and C11 locks replaced by a lock of ours, without compiling it anew"),
       performed_by(interpose_program, "profile",
                    "Run a program and show which of its locks are waited for or held long, and the lock-order cycles "
                    "among them"),
       performed_by(interpose_program, "top",
                    "Show the locks of a running program: how long they are waited for and held, now"),
       performed_by(interpose_program, "tune",
                    "Run a program with each lock in turn and with its own, and say which is best"),
       build_command(),
       list_command(),
       performed_by(verify_program, "verify",
                    "Model-check primitives: every interleaving and every weak-memory behaviour within bounds"),
       info_command(),
       check_command()});
}
