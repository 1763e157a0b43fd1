# From SystemVerilog to C++ libraries and unit tests.
#
#   t3_verilate(<library> PREFIX <class> TOP <module> [SOURCES file.sv ...]
#               [PARAMS Name=Value ...] [SHARED module ...] [TRACE] [BY_NAME])
#     Verilates a module into the static library <library>, whose class is
#     <class> in <class>.h. Reads rtl/t3.f, or with BY_NAME only the packages of
#     it and then the modules that TOP needs, looked up by file name: a test is
#     not rebuilt for a file that it does not use. TRACE records FST waves. SHARED
#     modules have many instances: they are kept apart and their generated code is
#     folded (fold_instances.py), so that it stays in the processor's caches.
#     Warnings are errors. The set of generated files may change; one pass of the
#     build is always enough.
#
#   t3_unit_test(<name> [OF base] [TOP module] [PARAMS Name=Value ...])
#     The GoogleTest program <name>_test of tb/unit/<name>_test.cc, linked with
#     V<name>: the verilated tb/shim/<name>_shim.sv where that file exists, else
#     the module <name> itself; with neither, a test of C++ alone. OF makes it a
#     variation: test, shim, module and class are those of <base>. The test sees
#     each parameter as T3_<Name>. T3_TB_LIBRARIES are linked.
#
#   t3_rtl_configs()
#     For each line of rtl/configs.txt the libraries t3_rtl_<config> (class
#     Vt3_<config>) and t3_rtl_<config>_trace (class Vt3_<config>_trace), and the
#     list of names T3_RTL_CONFIGS in the caller. Writes generated/t3_rtl_configs.h
#     with the names and parameters ("t3_rtl_configs.h" through t3_options).
include_guard(GLOBAL)
include(GoogleTest)

find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(T3_VLT_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/RunVerilator.cmake)
set(T3_FOLD_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/fold_instances.py)

# The file list, as absolute paths: T3_RTL_FILES, the packages among them, and the
# include folders as arguments.
set(T3_RTL_DIR ${PROJECT_SOURCE_DIR}/rtl)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
             CMAKE_CONFIGURE_DEPENDS ${T3_RTL_DIR}/t3.f ${T3_RTL_DIR}/configs.txt)
set(T3_RTL_FILES "")
set(T3_RTL_PACKAGES "")
set(T3_RTL_INCLUDES "")
file(STRINGS ${T3_RTL_DIR}/t3.f _lines REGEX "^(\\+incdir\\+.+|[^+/#-].*\\.sv)$")
foreach(_line IN LISTS _lines)
  if(_line MATCHES "^\\+incdir\\+(.*)$")
    list(APPEND T3_RTL_INCLUDES -I${T3_RTL_DIR}/${CMAKE_MATCH_1})
    continue()
  endif()
  list(APPEND T3_RTL_FILES ${T3_RTL_DIR}/${_line})
  if(_line MATCHES "_pkg\\.sv$")
    list(APPEND T3_RTL_PACKAGES ${T3_RTL_DIR}/${_line})
  endif()
endforeach()

# Compiler flags of generated code: fast, and its warnings are not ours.
include(CheckCXXCompilerFlag)
set(T3_VLT_FLAGS -w -O3)
check_cxx_compiler_flag(-march=native T3_HAS_MARCH_NATIVE)
if(T3_HAS_MARCH_NATIVE)
  list(APPEND T3_VLT_FLAGS -march=native)
endif()
# Code that runs once is large, and traced models spend their time on writing
# waves: -O1 builds both sooner.
set(T3_VLT_SLOW_FLAGS -w -O1)
if(T3_SANITIZE)
  set(T3_VLT_FLAGS -w -O1)
  if(T3_SANITIZE STREQUAL "undefined")
    list(APPEND T3_VLT_FLAGS -fno-sanitize=all)
    list(APPEND T3_VLT_SLOW_FLAGS -fno-sanitize=all)
  endif()
endif()

# The runtime, once for all models; the FST writer is linked only where used.
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
add_library(t3_vlt_rt STATIC EXCLUDE_FROM_ALL
            ${T3_VERILATOR_INCLUDE}/verilated.cpp
            ${T3_VERILATOR_INCLUDE}/verilated_threads.cpp
            ${T3_VERILATOR_INCLUDE}/verilated_fst_c.cpp)
target_include_directories(t3_vlt_rt SYSTEM PUBLIC ${T3_VERILATOR_INCLUDE}
                           ${T3_VERILATOR_INCLUDE}/vltstd)
target_compile_options(t3_vlt_rt PRIVATE ${T3_VLT_FLAGS})
target_link_libraries(t3_vlt_rt PUBLIC ZLIB::ZLIB Threads::Threads atomic)

function(t3_verilate library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TRACE;BY_NAME" "PREFIX;TOP" "SOURCES;PARAMS;SHARED")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_PREFIX OR NOT arg_TOP)
    message(FATAL_ERROR "t3_verilate(${library}): PREFIX and TOP are needed; left over: '${arg_UNPARSED_ARGUMENTS}'")
  endif()

  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${library}.vlt)
  set(args --cc -Wall --assert --no-timing --x-assign fast --x-initial fast
      --unroll-count 256 -O3 --Mdir ${dir} --prefix ${arg_PREFIX} --top-module ${arg_TOP}
      ${T3_RTL_INCLUDES})
  if(arg_TRACE)
    list(APPEND args --trace-fst --trace-structs)
  endif()
  foreach(param IN LISTS arg_PARAMS)
    list(APPEND args -G${param})
  endforeach()
  if(arg_BY_NAME)
    # Part of the design uses part of the packages; the lint of t3_top looks for unused names.
    list(APPEND args -Wno-UNUSED)
    file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${T3_RTL_DIR}/*)
    foreach(folder IN LISTS folders ITEMS ${T3_RTL_DIR})
      if(IS_DIRECTORY ${folder})
        list(APPEND args -y ${folder})
      endif()
    endforeach()
    set(files ${T3_RTL_PACKAGES})
  else()
    set(files ${T3_RTL_FILES})
  endif()
  set(fold "")
  if(arg_SHARED)
    t3_shared_modules(${dir}.vlt ${arg_SHARED})
    list(PREPEND files ${dir}.vlt)
    set(fold ${T3_FOLD_SCRIPT})
  endif()
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND files ${source})
  endforeach()
  list(REMOVE_DUPLICATES files)
  list(APPEND args ${files})

  # The two unity files have fixed names, whatever Verilator generates.
  string(REPLACE ";" "\n" text "${args}")
  file(CONFIGURE OUTPUT ${dir}.args CONTENT "${text}\n" @ONLY)
  set(fast ${dir}.unity/${arg_PREFIX}_fast.cpp)
  set(slow ${dir}.unity/${arg_PREFIX}_slow.cpp)
  add_custom_command(
    OUTPUT ${fast} ${slow} ${dir}/${arg_PREFIX}.h
    COMMAND ${CMAKE_COMMAND} -DVERILATOR=${T3_VERILATOR} -DARGS=${dir}.args -DMDIR=${dir}
            -DPREFIX=${arg_PREFIX} -DFAST=${fast} -DSLOW=${slow} -DDEPFILE=${dir}.d
            -DPYTHON=${Python3_EXECUTABLE} -DFOLD=${fold} -P ${T3_VLT_SCRIPT}
    DEPENDS ${dir}.args ${T3_VLT_SCRIPT} ${fold}
    DEPFILE ${dir}.d
    COMMENT "Verilating ${arg_TOP} (${library})"
    VERBATIM)
  set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS "${T3_VLT_SLOW_FLAGS}")
  if(arg_TRACE)
    set_source_files_properties(${fast} PROPERTIES COMPILE_OPTIONS "${T3_VLT_SLOW_FLAGS}")
  else()
    set_source_files_properties(${fast} PROPERTIES COMPILE_OPTIONS "${T3_VLT_FLAGS}")
  endif()
  add_library(${library} STATIC EXCLUDE_FROM_ALL ${fast} ${slow})
  target_include_directories(${library} SYSTEM PUBLIC ${dir})
  target_link_libraries(${library} PUBLIC t3_vlt_rt)
  # Who includes <class>.h waits for it.
  add_custom_target(${library}.headers DEPENDS ${dir}/${arg_PREFIX}.h)
  add_dependencies(${library} ${library}.headers)
endfunction()

# Writes the Verilator configuration that keeps modules apart from their parents:
# not inlined, and with inputs of their own (but the clock, which would become one
# clock domain for each) instead of references into the parent.
function(t3_shared_modules vlt)
  set(text "`verilator_config\n")
  foreach(module IN LISTS ARGN)
    file(GLOB source ${T3_RTL_DIR}/${module}.sv ${T3_RTL_DIR}/*/${module}.sv)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    string(APPEND text "no_inline -module \"${module}\"\n")
    file(STRINGS ${source} ports REGEX "^ *input +wire .*_i *(,|$|//)")
    foreach(port IN LISTS ports)
      string(REGEX MATCH "([a-z0-9_]+_i) *(,|$|//)" port "${port}")
      if(NOT CMAKE_MATCH_1 STREQUAL "clk_i")
        string(APPEND text "public_flat_rd -module \"${module}\" -var \"${CMAKE_MATCH_1}\"\n")
      endif()
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${vlt} CONTENT "${text}" @ONLY)
endfunction()

function(t3_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OF;TOP" "PARAMS")
  set(base ${name})
  if(arg_OF)
    set(base ${arg_OF})
  endif()
  set(test ${PROJECT_SOURCE_DIR}/tb/unit/${base}_test.cc)
  set(shim ${PROJECT_SOURCE_DIR}/tb/shim/${base}_shim.sv)
  file(GLOB module ${T3_RTL_DIR}/${base}.sv ${T3_RTL_DIR}/*/${base}.sv)
  if(EXISTS ${shim})
    set(source ${shim})
    set(top ${base}_shim)
  elseif(module)
    set(source ${module})
    set(top ${base})
  else()
    t3_cc_test(${name}_test SOURCES ${test} LIBRARIES ${T3_TB_LIBRARIES})
    return()
  endif()
  if(arg_TOP)
    set(top ${arg_TOP})
  endif()

  t3_verilate(V${name} PREFIX V${base} TOP ${top} SOURCES ${source} PARAMS ${arg_PARAMS} BY_NAME)
  t3_cc_test(${name}_test SOURCES ${test} LIBRARIES V${name} ${T3_TB_LIBRARIES})
  add_dependencies(${name}_test V${name}.headers)
  list(TRANSFORM arg_PARAMS PREPEND T3_)
  target_compile_definitions(${name}_test PRIVATE ${arg_PARAMS})
endfunction()

# A GoogleTest program: t3_cc_test(<target> SOURCES file.cc ... [LIBRARIES lib ...])
function(t3_cc_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} t3_options GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${target} TEST_PREFIX ${target}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()

function(t3_rtl_configs)
  # The parameters of t3_top and their defaults, in the order of their declaration.
  set(names "")
  file(STRINGS ${T3_RTL_DIR}/t3_top.sv lines REGEX "^ *parameter int unsigned [A-Za-z]+ *= *[0-9]+")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "unsigned ([A-Za-z]+) *= *([0-9]+)" line "${line}")
    list(APPEND names ${CMAKE_MATCH_1})
    set(default_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  endforeach()
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
               CMAKE_CONFIGURE_DEPENDS ${T3_RTL_DIR}/t3_top.sv)

  set(shared t3_channel t3_tracker)  # one per memory channel, one per tracker bank
  set(configs "")
  set(rows "")
  set(each "")
  file(STRINGS ${T3_RTL_DIR}/configs.txt lines REGEX "^[a-z]")
  foreach(line IN LISTS lines)
    separate_arguments(params UNIX_COMMAND "${line}")
    list(POP_FRONT params config)
    list(APPEND configs ${config})
    t3_verilate(t3_rtl_${config} PREFIX Vt3_${config} TOP t3_top PARAMS ${params} SHARED ${shared})
    t3_verilate(t3_rtl_${config}_trace PREFIX Vt3_${config}_trace TOP t3_top PARAMS ${params} SHARED ${shared}
                TRACE)

    foreach(name IN LISTS names)
      set(value_${name} ${default_${name}})
    endforeach()
    foreach(param IN LISTS params)
      string(REGEX MATCH "^([A-Za-z]+)=([0-9]+)$" param "${param}")
      if(NOT CMAKE_MATCH_1 IN_LIST names)
        message(FATAL_ERROR "rtl/configs.txt, ${config}: '${param}' is no parameter of t3_top (${names}).")
      endif()
      set(value_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endforeach()
    set(row "")
    foreach(name IN LISTS names)
      string(APPEND row ", ${value_${name}}")
    endforeach()
    string(APPEND rows "    {\"${config}\"${row}},\n")
    string(APPEND each " X(${config})")
  endforeach()
  list(JOIN names ", " fields)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/t3_rtl_configs.h CONTENT
"// Generated from rtl/configs.txt and rtl/t3_top.sv: the named configurations and
// the parameters that each was verilated with.
#pragma once

#include <cstdint>

// X(name) for each; classes are Vt3_##name and Vt3_##name##_trace.
#define T3_FOR_EACH_RTL_CONFIG(X)${each}

namespace t3 {

struct RtlConfig {
  const char* name;
  uint32_t ${fields};
};

constexpr RtlConfig kRtlConfigs[] = {
${rows}};

}  // namespace t3
" @ONLY)
  set(T3_RTL_CONFIGS ${configs} PARENT_SCOPE)
endfunction()
