# What cmake --install lays down: headers, libraries, command, CMake package, pkg-config file, man page.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/slimband)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/slimband DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING
        PATTERN *.h)
# A file of targets each: only the static library needs the user's own OpenMP, so only it goes where there is none.
foreach(kind shared static)
  install(TARGETS slimband-${kind} slimband-apps-${kind} EXPORT slimband-${kind} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT slimband-${kind} NAMESPACE slimband:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/slimband-config.cmake.in slimband-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(slimband-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/slimband-config.cmake ${PROJECT_BINARY_DIR}/slimband-config-version.cmake
        DESTINATION ${package_dir})

# Relative to where slimband.pc itself lies, so that an installed tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE prefix_from_pc)
foreach(dir LIBDIR INCLUDEDIR)
  set(pc_${dir} "\${prefix}")
  cmake_path(APPEND pc_${dir} ${CMAKE_INSTALL_${dir}})
endforeach()
foreach(name slimband slimband-apps)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${name}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/slimband.pc ${PROJECT_BINARY_DIR}/slimband-apps.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(SLIMBAND_CLI)
  install(TARGETS slimband-command DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/docs/man/slimband.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
