# autotune_header(TARGET SPEC GPU... [HEADER NAME] [OPTIONS OPTION...])
#
# Lets TARGET include a header with the proved launch parameters of a kernel: a block for each GPU, chosen by TARGET_VOLTA and
# the like. The header is NAME, or that of the spec with the ending `.h`. It is made in the build, and again when the spec,
# the kernel's source, a file that it includes, a profile or the program has changed. A SPEC and a GPU's profile are paths
# from the current source folder. OPTIONs are those of a proof, such as `--set n=4M` or `--time-limit 5m`. AUTOTUNE_PROGRAM
# is the program.
include_guard(GLOBAL)

# The first version that reads depfiles for Makefiles, and that turns their names into Ninja's own (CMP0116).
cmake_policy(VERSION 3.20)

find_program(AUTOTUNE_PROGRAM autotune DOC "autotune, which proves the fastest launch parameters of GPU kernels")

function(autotune_header target spec)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "HEADER" "OPTIONS")
  set(gpus ${arg_UNPARSED_ARGUMENTS})
  set(call "autotune_header(${target} ${spec} ...)")
  if(NOT AUTOTUNE_PROGRAM)
    message(FATAL_ERROR "${call}: the program autotune is not on the path; install it or set AUTOTUNE_PROGRAM")
  endif()
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${call}: ${target} is not a target; call this after add_executable or add_library")
  endif()
  if(NOT gpus)
    message(FATAL_ERROR "${call}: name a GPU after the spec; `autotune gpus` lists them")
  endif()
  get_filename_component(path "${spec}" ABSOLUTE)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "${call}: ${path} does not exist")
  endif()
  if(NOT arg_HEADER)
    get_filename_component(arg_HEADER "${spec}" NAME_WE)
    string(APPEND arg_HEADER ".h")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/autotune/${target}")
  set(header "${folder}/${arg_HEADER}")
  set(results)
  foreach(gpu IN LISTS gpus)
    set(inputs "${path}" "${AUTOTUNE_PROGRAM}")
    string(MAKE_C_IDENTIFIER "${arg_HEADER}_${gpu}" name)
    if(gpu MATCHES "/|\\.yaml$")
      get_filename_component(gpu "${gpu}" ABSOLUTE)
      list(APPEND inputs "${gpu}")
    endif()
    set(result "${folder}/${name}.json")
    _autotune_written("${result}" "Proving ${spec} on ${gpu}" "${inputs}" "${result}.d"
                      "${path}" --gpu "${gpu}" ${arg_OPTIONS} --format json
                      --depfile "${result}.d" --depfile-target "${result}")
    list(APPEND results "${result}")
  endforeach()
  _autotune_written("${header}" "Writing ${arg_HEADER}" "${results}" "" export ${results} --format header)

  string(MAKE_C_IDENTIFIER "autotune_${target}_${arg_HEADER}" made)
  add_custom_target("${made}" DEPENDS "${header}")
  add_dependencies("${target}" "${made}")
  get_target_property(type "${target}" TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_include_directories("${target}" INTERFACE "${folder}")
  else()
    target_include_directories("${target}" PRIVATE "${folder}")
  endif()
endfunction()

# A file with what autotune prints. A run that fails leaves none behind, so that the next build tries again.
function(_autotune_written file comment inputs depfile)
  get_filename_component(folder "${file}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  if(depfile)
    set(depfile DEPFILE "${depfile}")
  endif()
  add_custom_command(
    OUTPUT "${file}"
    COMMAND "${CMAKE_COMMAND}" -E rm -f "${file}"
    COMMAND "${AUTOTUNE_PROGRAM}" ${ARGN} > "${file}.new"
    COMMAND "${CMAKE_COMMAND}" -E rename "${file}.new" "${file}"
    DEPENDS ${inputs}
    ${depfile}
    COMMENT "${comment}"
    VERBATIM)
endfunction()
