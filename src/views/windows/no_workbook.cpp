#include <stdexcept>

#include "views/export.hpp"

namespace synchro::views {

exported to_xlsx(const results::document&, const presentations&) {
  throw std::runtime_error(
      "this program for Windows is built without the library that writes workbooks: export csv here, or "
      "xlsx on Linux");
}

}  // namespace synchro::views
