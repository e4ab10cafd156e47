# What Tatu is made of, for every build system that speaks CMake: `tatu_sources`, `tatu_assembly` and `tatu_include`.
# An assembly file that is not for the machine is empty there, so no name of a processor has to be known here.
set(tatu_include ${CMAKE_CURRENT_LIST_DIR}/src)
# A script has nothing to configure again.
set(tatu_configure_depends CONFIGURE_DEPENDS)
if(CMAKE_SCRIPT_MODE_FILE)
  set(tatu_configure_depends)
endif()
file(GLOB_RECURSE tatu_sources ${tatu_configure_depends} ${tatu_include}/*.c)
file(GLOB_RECURSE tatu_assembly ${tatu_configure_depends} ${tatu_include}/*.S)
