#include "terminal/shares.hpp"

#include <fmt/format.h>

#include <iostream>

#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::terminal {

bool shares_come_by_lines(const std::string& share) { return share.starts_with("-/"); }

void answer_lines(const std::string& share,
                  const std::function<bool(std::size_t part, std::size_t of, const std::string& file)>& answer) {
  const std::string of = share.substr(2);
  (void)parse_share("0/" + of);  // a mistake there is told before anything is asked
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos || blank + 1 == line.size())
      fail_usage(fmt::format("--share {} reads lines of a part and a file, such as 0 a.json, not '{}'", share,
                             results::printable(line)));
    const auto [part, all] = parse_share(line.substr(0, blank) + "/" + of);
    const std::string file = line.substr(blank + 1);
    if (!answer(part, all, file)) return;
    print(file + "\n");
  }
}

}  // namespace synchro::terminal
