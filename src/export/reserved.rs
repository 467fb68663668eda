//! The names that have a meaning for a compiler or a shell, so that no exported parameter may have them.

use autotune_kernel::source::Language;

/// The words of C, and the names that its headers and compilers define.
const WORDS_OF_C: &str = "
    alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false float for
    goto if inline int long main nullptr register restrict return short signed sizeof static static_assert struct switch
    thread_local true typedef typeof typeof_unqual union unsigned void volatile while
    defined linux unix i386 NULL errno stdin stdout stderr complex
    size_t ptrdiff_t intptr_t uintptr_t wchar_t
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intmax_t uintmax_t wint_t max_align_t
    isnan isinf isfinite isnormal isgreater isgreaterequal isless islessequal islessgreater isunordered signbit fpclassify
    math_errhandling offsetof
    CHAR_BIT DECIMAL_DIG EOF HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN MAXFLOAT MATH_ERRNO MATH_ERREXCEPT RAND_MAX
    ATOMIC_FLAG_INIT ATOMIC_VAR_INIT";

/// The words that `OpenCL` C adds to C's.
const WORDS_OF_OPENCL: &str = "
    kernel global local constant private generic read_only write_only read_write pipe uniform half quad
    uchar ushort uint ulong event_t sampler_t queue_t ndrange_t clk_event_t reserve_id_t
    get_work_dim get_global_size get_global_id get_local_size get_enqueued_local_size get_local_id get_num_groups get_group_id
    get_global_offset get_global_linear_id get_local_linear_id get_num_sub_groups get_sub_group_id get_sub_group_size
    get_max_sub_group_size get_sub_group_local_id
    barrier work_group_barrier sub_group_barrier mem_fence read_mem_fence write_mem_fence";

/// The words that CUDA and HIP add to C's: C++'s, and what their own headers define.
const WORDS_OF_CUDA: &str = "
    alignas alignof and and_eq bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl concept
    const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not
    not_eq operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try typeid
    typename using virtual xor xor_eq
    half uchar ushort uint ulong dim3 threadIdx blockIdx blockDim gridDim warpSize";

/// The beginnings of the macros of C's and `OpenCL`'s headers for the limits of types; `_MAX` or `_MIN` ends them.
const LIMITED: &str = "
    CHAR SCHAR UCHAR SHRT USHRT INT UINT LONG ULONG LLONG ULLONG MB_LEN SIZE SSIZE PTRDIFF INTPTR UINTPTR INTMAX UINTMAX WCHAR
    WINT SIG_ATOMIC INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 INT_FAST8 INT_FAST16 INT_FAST32 INT_FAST64 UINT_FAST8
    UINT_FAST16 UINT_FAST32 UINT_FAST64 INT_LEAST8 INT_LEAST16 INT_LEAST32 INT_LEAST64 UINT_LEAST8 UINT_LEAST16 UINT_LEAST32
    UINT_LEAST64";

/// The types of `stdint.h`, for whose constants it has macros that end in `_C`.
const OF_CONSTANTS: &str = "INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 INTMAX UINTMAX";

/// The constants of `math.h`; `OpenCL` C has them with `_F` and `_H` behind, too.
const OF_MATHEMATICS: &str =
    "M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2";

/// The beginnings of the other macros of C's and `OpenCL`'s headers.
const OF_HEADERS: [&str; 6] = ["FLT_", "DBL_", "LDBL_", "HALF_", "FP_", "CLK_"];

/// The types that a number after them makes a vector type, for example `float4`.
const ELEMENTS: &str = "bool char uchar short ushort int uint long ulong longlong ulonglong half float double quad";
const WIDTHS: &str = "1 2 3 4 8 16";

/// The beginnings of the macros that an exported header uses itself.
const OF_THE_HEADER: [&str; 2] = ["TARGET_", "AUTOTUNE_"];

/// The variables that sh, bash or zsh use. An assignment to them fails, is lost, or changes the rest of a script.
const OF_THE_SHELL: &str = "
    _ CDPATH COLUMNS ENV HOME IFS LANG LANGUAGE LINENO LINES MAIL MAILCHECK MAILPATH OLDPWD OPTARG OPTERR OPTIND PATH PPID
    PS0 PS1 PS2 PS3 PS4 PWD SHELL TERM TMPDIR USER LOGNAME
    BASH BASHOPTS BASHPID CHILD_MAX COMPREPLY COPROC DIRSTACK EMACS EPOCHREALTIME EPOCHSECONDS EUID EXECIGNORE FCEDIT FIGNORE
    FUNCNAME FUNCNEST GLOBIGNORE GLOBSORT GROUPS HISTCMD HISTCONTROL HISTFILE HISTFILESIZE HISTIGNORE HISTSIZE HISTTIMEFORMAT
    HOSTFILE HOSTNAME HOSTTYPE IGNOREEOF INPUTRC INSIDE_EMACS MACHTYPE MAPFILE OSTYPE PIPESTATUS POSIXLY_CORRECT
    PROMPT_COMMAND PROMPT_DIRTRIM RANDOM REPLY SECONDS SHELLOPTS SHLVL SRANDOM TIMEFORMAT TMOUT UID auto_resume histchars
    ARGC ARGV0 BAUD CORRECT_IGNORE CPUTYPE DIRSTACKSIZE EGID ERRNO FPATH GID HISTCHARS HISTORY_IGNORE HOST KEYBOARD_HACK
    KEYTIMEOUT LISTMAX LOGCHECK MANPATH MODULE_PATH NULLCMD POSTEDIT PROMPT PROMPT2 PROMPT3 PROMPT4 PROMPT_EOL_MARK PSVAR
    READNULLCMD REPORTMEMORY REPORTTIME RPROMPT RPROMPT2 RPS1 RPS2 SAVEHIST SPROMPT STTY TERMINFO TIMEFMT TMPPREFIX TMPSUFFIX
    TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TTY TTYIDLE USERNAME VENDOR WATCH WATCHFMT WORDCHARS ZBEEP ZDOTDIR
    aliases argv builtins cdpath commands dirstack errnos fignore fpath functions galiases history jobdirs jobstates jobtexts
    mailpath manpath mapfile module_path modules nameddirs options parameters path patchars pipestatus prompt psvar reply
    reswords saliases signals status termcap terminfo userdirs usergroups watch widgets zsh_eval_context";

/// The beginnings of further such variables, the beginnings of dynamic linkers' variables included.
const BEGINNINGS_OF_THE_SHELL: [&str; 7] = ["BASH_", "COMP_", "DYLD_", "LC_", "LD_", "READLINE_", "ZSH_"];

/// The meaning of a name for the compiler of a source or for an exported header, as a clause after "which"; `None` if the name
/// is free. A word is one where the language has it; if the language is not known, where each may have it. The headers' names
/// for numbers are not free anywhere, since another number would be taken in silence.
pub(super) fn in_source(name: &str, language: Option<Language>) -> Option<&'static str> {
    if OF_THE_HEADER.iter().any(|beginning| name.starts_with(beginning)) {
        return Some("a header of autotune itself goes by");
    }
    let rest = name.strip_prefix('_').unwrap_or_default();
    if rest.starts_with(|second: char| second == '_' || second.is_ascii_uppercase()) {
        return Some("belongs to the compiler, as all that begins with two underscores or one and a capital");
    }
    if is_of_a_header(name) {
        return Some("belongs to the headers of C or OpenCL C");
    }
    let element = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_vector = is_among(element, ELEMENTS) && is_among(&name[element.len()..], WIDTHS);
    let is_image = name.starts_with("image") && name.ends_with("_t");
    let of_opencl = is_vector || is_image || is_among(name, WORDS_OF_OPENCL);
    let of_cuda = is_vector || is_among(name, WORDS_OF_CUDA);
    match language {
        _ if is_among(name, WORDS_OF_C) => Some("is a word of C"),
        Some(Language::OpenCl) => of_opencl.then_some("is a word of OpenCL C"),
        Some(Language::Cuda) => of_cuda.then_some("is a word of CUDA and HIP"),
        None | Some(Language::Triton) => (of_opencl && of_cuda).then_some("is a word of OpenCL C and of CUDA"),
    }
}

/// True for the name of a macro or type that a header defines by a pattern.
fn is_of_a_header(name: &str) -> bool {
    let behind = |ends: &[&str], words: &str| {
        ends.iter().filter_map(|end| name.strip_suffix(end)).any(|beginning| is_among(beginning, words))
    };
    behind(&["_MAX", "_MIN"], LIMITED)
        || behind(&["_C"], OF_CONSTANTS)
        || behind(&["", "_F", "_H"], OF_MATHEMATICS)
        || OF_HEADERS.iter().any(|beginning| name.starts_with(beginning))
}

/// The meaning of a name for a shell, as a clause after "which"; `None` if the name is free.
pub(super) fn in_a_shell(name: &str) -> Option<&'static str> {
    let is_special =
        is_among(name, OF_THE_SHELL) || BEGINNINGS_OF_THE_SHELL.iter().any(|beginning| name.starts_with(beginning));
    is_special.then_some("a shell itself goes by")
}

fn is_among(name: &str, words: &str) -> bool {
    words.split_whitespace().any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn told(program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env_clear().env("PATH", env!("PATH")).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn what_a_real_compiler_defines_is_reserved() {
        let macros = told("gcc", &["-std=gnu99", "-dM", "-E", "-x", "c", "/dev/null"]);
        let names: Vec<&str> = macros.lines().filter_map(|line| line.split([' ', '(']).nth(1)).collect();
        assert!(names.len() > 100 && names.contains(&"__GNUC__"), "{macros}");
        let free: Vec<_> = names.iter().filter(|name| in_source(name, None).is_none()).collect();
        assert!(free.is_empty(), "{free:?}");
    }

    #[test]
    fn what_the_standard_headers_define_is_reserved() {
        let headers = ["limits.h", "float.h", "math.h", "stdint.h", "stddef.h", "stdbool.h"];
        let headers = headers.iter().flat_map(|header| ["-include", header]).collect::<Vec<_>>();
        let macros = told("gcc", &[&headers[..], &["-std=c99", "-dM", "-E", "-x", "c", "/dev/null"]].concat());
        let names: Vec<&str> = macros.lines().filter_map(|line| line.split([' ', '(']).nth(1)).collect();
        assert!(names.contains(&"INT_MAX") && names.contains(&"CHAR_BIT"), "{macros}");
        let free: Vec<_> = names.iter().filter(|name| in_source(name, None).is_none()).collect();
        assert!(free.is_empty(), "{free:?}");
    }

    #[test]
    fn what_a_real_shell_sets_is_reserved() {
        let variables = told("bash", &["-c", "compgen -v"]);
        assert!(variables.contains("BASHOPTS"), "{variables}");
        let free: Vec<_> = variables.lines().filter(|name| in_a_shell(name).is_none()).collect();
        assert!(free.is_empty(), "{free:?}");
    }

    #[test]
    fn words_are_reserved_where_they_mean_something_and_nowhere_else() {
        const LANGUAGES: [Option<Language>; 3] = [None, Some(Language::OpenCl), Some(Language::Cuda)];
        for name in "while half defined float4 uchar16 double2 TARGET_VOLTA AUTOTUNE_K_H _Bool __x linux \
             M_PI M_PI_F CLK_LOCAL_MEM_FENCE HALF_MAX"
            .split(' ')
        {
            assert!(LANGUAGES.iter().all(|language| in_source(name, *language).is_some()), "{name}");
        }
        for (names, of) in [
            ("read_only write_only kernel local constant pipe get_global_id barrier image2d_array_t", Language::OpenCl),
            ("dim3 threadIdx class new template this and not", Language::Cuda),
        ] {
            for name in names.split(' ') {
                let has = LANGUAGES.map(|language| in_source(name, language).is_some());
                assert_eq!(has, LANGUAGES.map(|language| language == Some(of)), "{name}");
            }
        }
        for name in
            "_ RANDOM SECONDS path status argv LD_PRELOAD LC_NUMERIC BASH_VERSINFO TMOUT GROUPS ZSH_VERSION".split(' ')
        {
            assert!(in_a_shell(name).is_some(), "{name}");
        }
        for name in "WG TS block_size_x VEC M_TILE TILE_MAX M image int_t float5 float44 floats _wg TARGET LINE threads 4 _2MM_WG WHILE".split(' ') {
            let of_sources = LANGUAGES.map(|language| in_source(name, language));
            assert_eq!((of_sources, in_a_shell(name)), ([None; 3], None), "{name}");
        }
        assert!(in_source("PATH", None).is_none() && in_a_shell("while").is_none() && in_a_shell("float4").is_none());
    }
}
