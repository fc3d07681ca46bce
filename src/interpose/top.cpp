#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "interpose/canvas.hpp"
#include "interpose/commands.hpp"
#include "interpose/lock_screen.hpp"
#include "interpose/preloaded.hpp"
#include "platform/interposer.hpp"
#include "platform/program_run.hpp"
#include "platform/started_program.hpp"
#include "recorded/shown.hpp"
#include "recorded/watched.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::interpose {

namespace {

namespace agreed = platform::interposer;

struct top_options {
  std::vector<std::string> target;  ///< A file, a process or, behind --, a command.
  std::optional<std::string> interval, count, sort, record;
  std::string filter;
  recorder_options recorder;
  bool lines = false;  ///< Also on a terminal.
};

/// What is typed, understood.
struct watch_task {
  double interval = 1;
  std::uint64_t count = 0;  ///< Updates; 0: no bound.
  row_choice rows;
  bool on_terminal = false;
};

/// Where recordings come from.
class watched_source {
 public:
  watched_source() = default;
  watched_source(const watched_source&) = delete;
  watched_source& operator=(const watched_source&) = delete;
  virtual ~watched_source() = default;
  virtual std::vector<recorded::watched_process> look() = 0;
  /// Nothing more will come.
  [[nodiscard]] virtual bool is_over() = 0;
};

class source_of_folder : public watched_source {
 public:
  source_of_folder(const std::string& path, platform::started_program& program) : folder_{path}, program_{program} {}
  std::vector<recorded::watched_process> look() override {
    std::vector<recorded::watched_process> all;
    folder_.look(all);
    return all;
  }
  [[nodiscard]] bool is_over() override { return program_.wait(0).has_value(); }

 private:
  recorded::watched_folder folder_;
  platform::started_program& program_;
};

class source_of_file : public watched_source {
 public:
  explicit source_of_file(recorded::watched_file file) : file_{std::move(file)} {}
  std::vector<recorded::watched_process> look() override {
    std::vector<recorded::watched_process> all;
    file_.look(all);
    over_ = std::all_of(all.begin(), all.end(), [](const recorded::watched_process& p) { return p.over; });
    return all;
  }
  [[nodiscard]] bool is_over() override { return over_; }

 private:
  recorded::watched_file file_;
  bool over_ = false;
};

using watch_clock = std::chrono::steady_clock;

/// Looks again and again, and hands on what two looks differ by.
class lock_watch {
 public:
  lock_watch(watched_source& from, double interval) : from_{from}, wanted_{interval}, interval_{interval} {
    before_ = {since(begin_), from_.look()};  // what was counted before is in no update
    learn_from(before_);
  }

  [[nodiscard]] double seconds_left() const { return interval_ - since(last_); }
  /// The next update. What it costs and what is drawn is to be no more than a hundredth of a processor: else the next comes
  /// later. What costs much once, new names, does not count.
  lock_update next() {
    constexpr double most_share = 0.01, most_interval = 10;
    const double cost = static_cast<double>(std::clock() - std::exchange(cpu_, std::clock())) / CLOCKS_PER_SEC;
    interval_ =
        std::clamp(std::min(cost, std::exchange(cost_, cost)) / most_share, wanted_, std::max(wanted_, most_interval));
    last_ = watch_clock::now();
    recorded::moment now{since(begin_), from_.look()};
    learn_from(now);
    lock_update u{now.seconds, now.seconds - before_.seconds, every_};
    u.rows = recorded::rates_between(before_, now);
    u.silence = silence();
    for (const recorded::watched_process& p : now.processes)
      if (!p.over) ++u.processes, u.threads += p.threads;
    for (const auto& [process, cycles] : cycles_) u.cycles.insert(u.cycles.end(), cycles.begin(), cycles.end());
    before_ = std::move(now);
    return u;
  }
  /// Why nothing was seen so far; null if something was.
  [[nodiscard]] const char* silence() const {
    return !any_ ? recorded::nothing_recorded : !locks_mutex_ ? recorded::no_mutex : nullptr;
  }

 private:
  /// What is also told when the process is over.
  void learn_from(const recorded::moment& m) {
    for (const recorded::watched_process& p : m.processes) {
      any_ = true, locks_mutex_ = locks_mutex_ || p.locks_mutex, every_ = p.every;
      if (!p.cycles.empty()) cycles_[{p.begun, p.pid}] = p.cycles;
    }
  }
  static double since(watch_clock::time_point t) {
    return std::chrono::duration<double>{watch_clock::now() - t}.count();
  }

  watched_source& from_;
  double wanted_, interval_;
  watch_clock::time_point begin_ = watch_clock::now(), last_ = begin_;
  std::clock_t cpu_ = std::clock();
  double cost_ = 0;
  recorded::moment before_;
  bool any_ = false, locks_mutex_ = false;
  unsigned every_ = 1;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::string>> cycles_;  // by process
};

/// Draws until the user leaves, a signal comes or nothing more will come.
void show(watched_source& from, const watch_task& task, const std::string& program) {
  canvas where;
  if (where.width() < lock_screen::least_width || where.height() < lock_screen::least_height)
    fail_cannot(fmt::format("the terminal is too small for top: {} columns and {} lines, where {} and {} are needed",
                            where.width(), where.height(), lock_screen::least_width, lock_screen::least_height));
  lock_screen screen{results::printable(program, 100), task.rows};
  lock_watch looks{from, task.interval};
  std::uint64_t updates = 0;
  bool changed = true;
  while (!screen.is_left() && !interrupt_watch::raised()) {
    if (changed) where.draw(screen.lines(where.width(), where.height()));
    changed = false;
    if (const auto typed = where.pressed(std::clamp(looks.seconds_left(), 0.0, 0.1))) {
      screen.press(*typed);
      changed = true;
    }
    const bool over = from.is_over();
    if (!over && looks.seconds_left() > 0) continue;
    screen.add(looks.next());
    changed = true;
    if (over || ++updates == task.count) return;
  }
}

void print_updates(watched_source& from, const watch_task& task) {
  lock_watch looks{from, task.interval};
  print(heading_of_lines());
  for (std::uint64_t updates = 0; !interrupt_watch::raised();) {
    const bool over = from.is_over();
    if (!over && looks.seconds_left() > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>{std::min(looks.seconds_left(), 0.1)});
      continue;
    }
    print(lines_of(looks.next(), task.rows));
    if (over || ++updates == task.count) break;
  }
  if (looks.silence() != nullptr && !interrupt_watch::raised()) say(looks.silence());
}

void follow(watched_source& from, const watch_task& task, const std::string& program) {
  if (task.on_terminal)
    show(from, task, program);
  else
    print_updates(from, task);
}

/// What is kept of a program that was started.
struct finished {
  std::optional<platform::program_end> end;  ///< Nothing if it was left: it was asked to end.
  std::string out, errors;
  std::vector<recorded::process> processes;
};

finished run_and_follow(const top_options& options, const watch_task& task, preloaded command) {
  std::optional<interrupt_watch::patience> until_it_has_ended{std::in_place};
  const platform::mapped_folder recordings;
  record_locks(command, options.recorder, recordings.path());
  command.variables.emplace_back(agreed::callers_variable, "1");
  platform::started_program program{{command.path, command.words, command.variables}};
  finished f;
  {
    source_of_folder from{recordings.path(), program};
    follow(from, task, command.words.front());
    f.end = program.wait(0);
  }
  program.stop();
  until_it_has_ended.reset();
  f.out = program.out(), f.errors = program.errors();
  f.processes = recorded::read_recordings(recordings.path());
  return f;
}

/// A path, or the number of a process.
recorded::watched_file recording_of_process(const std::string& typed) {
  const long process = parse_number(typed, "top", "number of a process", 1L, 1L << 30);
  if (!platform::is_running(process)) fail_usage(fmt::format("there is no process {}", process));
  const auto files = platform::files_shared_by(process);
  if (!files) fail_cannot(fmt::format("this user may not look into the memory of process {}", process));
  std::set<recorded::file_content> seen;
  for (const std::string& path : *files) {
    recorded::watched_file file{path};
    if (file.content() == recorded::file_content::recording) return file;
    seen.insert(file.content());
  }
  if (seen.contains(recorded::file_content::of_another_version))
    fail_cannot(
        fmt::format("process {} is recorded by another version of synchroscope, whose top can look at it", process));
  if (seen.contains(recorded::file_content::of_another_user))
    fail_cannot(fmt::format(
        "process {} shares files of another user: if one is its recording, that user can look at it", process));
  fail_cannot(fmt::format(
      "process {} does not record its locks: start it by synchroscope top -- COMMAND, or by profile", process));
}

recorded::watched_file recording_called(const std::string& typed) {
  const bool number = std::all_of(typed.begin(), typed.end(), [](char c) { return c >= '0' && c <= '9'; });
  std::error_code ignored;
  if (number && !std::filesystem::exists(typed, ignored)) return recording_of_process(typed);
  if (!std::filesystem::exists(typed, ignored))
    fail_usage(fmt::format("there is no file '{}'", results::printable(typed)));
  recorded::watched_file file{typed};
  const auto refuse = [&](const char* what) { fail_usage(fmt::format("{} {}", results::printable(typed), what)); };
  switch (file.content()) {
    case recorded::file_content::of_another_user:
      refuse("belongs to another user: top looks at recordings of the user who calls it");
      break;
    case recorded::file_content::of_another_version:
      refuse("was recorded by another version of synchroscope, whose top can look at it");
      break;
    case recorded::file_content::something_else:
      refuse("is not a recording of locks, which profile and top make");
      break;
    case recorded::file_content::recording:
      break;
  }
  return file;
}

void keep(const top_options& options, const recorded::run& run) {
  if (options.record) write_output(*options.record, results::dump(recorded::document_of(run), 1) + "\n");
}

status perform_on_command(const top_options& options, const watch_task& task) {
  refuse_to_measure_under_an_emulator("top");
  preloaded command = prepare_preloaded(options.target, "top", "synchroscope top -- COMMAND");
  const unsigned every = options.recorder.samples_one_in();
  demand_lock(options.recorder);
  if (options.record) check_output(*options.record);
  const interrupt_watch watch;
  finished f = run_and_follow(options, task, std::move(command));
  if (task.on_terminal)
    print(f.out);
  else
    say_raw(f.out);
  say_raw(f.errors);
  const recorded::run run{options.target, options.recorder.lock, every, std::move(f.processes)};
  if (task.on_terminal) say_raw(recorded::table_of(run, style_for(standard_error())));
  keep(options, run);
  if (interrupt_watch::raised()) return interrupt_watch::ends_with();
  if (!f.end) return status::done;
  if (f.end->signal != 0) platform::end_by_signal(f.end->signal);
  return static_cast<status>(f.end->status);
}

status perform_on_recording(const top_options& options, const watch_task& task) {
  if (options.record)
    fail_usage(
        "--record needs a command after --: the profile of a program that profile started is what profile -o writes");
  if (options.target.size() != 1)
    fail_usage("top needs a command, a process or a recording: synchroscope top -- COMMAND, synchroscope top PID");
  source_of_file from{recording_called(options.target[0])};
  const interrupt_watch watch;
  const interrupt_watch::patience until_it_is_left;
  follow(from, task, options.target[0]);
  return interrupt_watch::raised() ? interrupt_watch::ends_with() : status::done;
}

watch_task task_of(const top_options& options) {
  watch_task task;
  constexpr double least = 0.1;
  if (options.interval) task.interval = parse_duration(*options.interval, "--interval");
  if (task.interval < least) fail_usage(fmt::format("--interval takes 100ms or more, not '{}'", *options.interval));
  if (options.count)
    task.count = parse_number(*options.count, "--count", "whole number", std::uint64_t{1}, std::uint64_t{1} << 40);
  if (options.sort) {
    const auto column = column_called(*options.sort);
    if (!column) fail_usage(no_such("column", *options.sort, column_names()));
    task.rows.by = *column;
  }
  task.rows.filter = options.filter;
  task.on_terminal = !options.lines && standard_output().terminal && canvas::is_possible();
  return task;
}

deed declare_top(terminal::options& its) {
  const auto typed = std::make_shared<top_options>();
  its.values("target", typed->target,
             "The program and its arguments, after --; or a process that is recorded, or its file")
      .called("-- COMMAND | PID | FILE");
  its.value("--interval", typed->interval, "Time between updates (1s); at least 100ms").called("DURATION");
  its.value("--count", typed->count, "Stop after this many updates").called("N");
  its.value("--sort", typed->sort, fmt::format("Order by this column: {} (waiting)", fmt::join(column_names(), ", ")))
      .called("COLUMN");
  its.value("--filter", typed->filter, "Only locks whose name or place contains this").called("TEXT");
  its.flag("--lines", typed->lines, "Print lines on a terminal, too, as in a pipe");
  its.value("--record", typed->record, "File to write the profile of the whole run to, for report and advise")
      .called("FILE");
  declare_recorder(its, typed->recorder);
  its.ends_with(
      "Examples:\n"
      "  synchroscope top -- ./server --port 8080\n"
      "  synchroscope top --interval 500ms --count 20 -- ./batch > locks.tsv\n"
      "The command's output is shown when it has ended or top is left (which ends the command, too); in a pipe it goes "
      "to\n"
      "standard error. The exit status is the command's.\n"
      "2: no such lock, command, process or file; 3: its locks cannot be seen, or the terminal cannot be drawn on.\n");
  return [typed](const words& all) {
    const watch_task task = task_of(*typed);
    const bool is_command = std::find(all.begin(), all.end(), "--") != all.end();
    return is_command || typed->target.empty() ? perform_on_command(*typed, task) : perform_on_recording(*typed, task);
  };
}

}  // namespace

command top_command() {
  return {"top", "Show the locks of a running program: how long they are waited for and held, now", declare_top};
}

}  // namespace synchro::interpose
