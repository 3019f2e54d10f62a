# SPDX-License-Identifier: BSD-2-Clause
#
# find_package(simt): programs for the simt machine in a project that builds its CUDA with nvcc, or has no CUDA enabled.
# (A project whose CMAKE_CUDA_COMPILER is simtcc needs none of this.) Sets SIMTCC, the compiler, and defines:
#
#   simt::runtime                                      the machine's headers and library, for C and C++ files that call it
#   simt_add_executable(NAME SOURCE... [OPTIONS WORD...])
#                                                      a program. simtcc compiles the sources that end in .cu, with OPTIONS
#                                                      and with the target's include directories and definitions; the host
#                                                      compiler the others. Sources that call device functions or use
#                                                      device variables of another source need the option -rdc=true.
#   simt_add_test(NAME TEST COMMAND PROGRAM [ARGUMENT...] [SCHEDULES N])
#                                                      as add_test, under N schedules (5). Red if any of them has a finding.
#
# A name that exists already, a missing source or an unknown word is CMake's own error.

find_program(SIMTCC simtcc HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin")
if(SIMTCC)
    # It fails for lack of a file, after it has told its directories.
    execute_process(COMMAND "${SIMTCC}" -v none.o ERROR_VARIABLE _simt_told OUTPUT_QUIET RESULT_VARIABLE _simt_status)
endif()
if(NOT _simt_told MATCHES "#\\$ TOP=([^\n]*)")
    set(simt_FOUND FALSE)
    set(simt_NOT_FOUND_MESSAGE "simtcc was not found, or has no toolkit folder beside its library; set SIMTCC to its path")
    return()
endif()
set(_simt_top "${CMAKE_MATCH_1}")

if(NOT TARGET simt::runtime)
    find_package(Threads REQUIRED)
    add_library(simt::runtime STATIC IMPORTED)
    set_target_properties(simt::runtime PROPERTIES
        IMPORTED_LOCATION "${_simt_top}/lib64/libcudart_static.a"
        INTERFACE_INCLUDE_DIRECTORIES "${_simt_top}/include"
        INTERFACE_LINK_LIBRARIES "m;Threads::Threads;${CMAKE_DL_LIBS}")
endif()

function(simt_add_executable name)
    cmake_parse_arguments(PARSE_ARGV 1 simt "" "" "OPTIONS")
    set(files)
    set(directories "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
    foreach(source IN LISTS simt_UNPARSED_ARGUMENTS)
        if(NOT source MATCHES "\\.cu$")
            list(APPEND files "${source}")
            continue()
        endif()
        get_filename_component(path "${source}" ABSOLUTE)
        string(MAKE_C_IDENTIFIER "${source}" object)
        set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.simt/${object}.o")
        add_custom_command(OUTPUT "${object}"
            COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/${name}.simt"
            COMMAND "${SIMTCC}" ${simt_OPTIONS} "$<$<BOOL:${directories}>:-I$<JOIN:${directories},;-I>>"
                "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" -MD -MT "${object}" -MF "${object}.d" -c "${path}" -o "${object}"
            DEPENDS "${path}" "${SIMTCC}" DEPFILE "${object}.d" COMMAND_EXPAND_LISTS VERBATIM
            COMMENT "Compiling ${source} with simtcc")
        list(APPEND files "${object}")
    endforeach()
    add_executable(${name} ${files})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(${name} PRIVATE simt::runtime)
endfunction()

function(simt_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 simt "" "NAME;SCHEDULES" "COMMAND")
    if(NOT simt_NAME OR NOT simt_COMMAND OR simt_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "simt_add_test(NAME TEST COMMAND PROGRAM [ARGUMENT...] [SCHEDULES N])")
    endif()
    if(NOT simt_SCHEDULES)
        set(simt_SCHEDULES 5)
    endif()
    add_test(NAME ${simt_NAME} COMMAND ${simt_COMMAND})
    set_property(TEST ${simt_NAME} PROPERTY ENVIRONMENT "SIMT_OPTIONS=schedules=${simt_SCHEDULES}")
endfunction()

unset(_simt_told)
unset(_simt_status)
unset(_simt_top)
