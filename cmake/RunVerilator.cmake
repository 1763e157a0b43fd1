# Runs Verilator afresh and collects what it wrote in two unity files of fixed
# names, with the list of the sources that it read. Called by t3_verilate().
file(STRINGS ${ARGS} args)
file(REMOVE_RECURSE ${MDIR})
file(MAKE_DIRECTORY ${MDIR})
execute_process(COMMAND ${VERILATOR} ${args} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "Verilator refused ${PREFIX}; see its messages above.")
endif()

if(FOLD)
  execute_process(COMMAND ${PYTHON} ${FOLD} ${MDIR} COMMAND_ERROR_IS_FATAL ANY)
endif()

file(GLOB generated RELATIVE ${MDIR} ${MDIR}/*.cpp)
list(SORT generated)
set(fast "")
set(slow "")
foreach(name IN LISTS generated)
  if(name MATCHES "Slow|__Syms")
    string(APPEND slow "#include \"${name}\"\n")
  else()
    string(APPEND fast "#include \"${name}\"\n")
  endif()
endforeach()
file(WRITE ${FAST} "${fast}")
file(WRITE ${SLOW} "${slow}")

# Verilator's dependency file names its own outputs and tools first.
file(READ ${MDIR}/${PREFIX}__ver.d text)
string(REGEX REPLACE "^[^:]*:" "" text "${text}")
file(WRITE ${DEPFILE} "${FAST}:${text}")
