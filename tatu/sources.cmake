# What Tatu is made of, for every build system that speaks CMake: `tatu_sources`, `tatu_assembly` and `tatu_include`.
# An assembly file that is not for the machine is empty there, so no name of a processor has to be known here.
set(tatu_include ${CMAKE_CURRENT_LIST_DIR}/src)
file(GLOB_RECURSE tatu_sources CONFIGURE_DEPENDS ${tatu_include}/*.c)
file(GLOB_RECURSE tatu_assembly CONFIGURE_DEPENDS ${tatu_include}/*.S)
