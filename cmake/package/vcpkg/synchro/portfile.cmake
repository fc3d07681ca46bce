# The header library as a port of vcpkg, made of this clone: vcpkg install synchro --overlay-ports=cmake/package/vcpkg
# Written by vcpkg's documentation. vcpkg itself has not met it: only stand-ins for its functions have (tests/install/recipes.py).

get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
set(VCPKG_BUILD_TYPE release) # headers are of no build type
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
                      OPTIONS -DSYNCHRO_INSTRUMENT=OFF -DSYNCHRO_TESTS=OFF -DSYNCHRO_BENCH=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/synchro)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib" "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
