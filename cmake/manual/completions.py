"""Completion of a described program's words in bash, zsh and fish: commands, options, files, other programs."""


def takes_file(one):
    return "FILE" in one["value"] or "HEADER" in one["value"] or "MODEL" in one["value"]


def takes_command(one):
    return one["value"].endswith("COMMAND") and one["value"].startswith("--")


def names(options):
    return " ".join(name for one in options for name in one["names"])


# ---- bash

BASH = """\
# Completion of synchroscope for bash; made from what the program says of its commands.

_synchroscope() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} options="" valued="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${{COMP_WORDS[i]}} == -- ]]; then # the words of another program
      ((i + 1 == COMP_CWORD)) && mapfile -t COMPREPLY < <(compgen -c -- "$current")
      return
    fi
  done
  if ((COMP_CWORD == 1)) || [[ ${{COMP_WORDS[1]}} == help ]]; then
    mapfile -t COMPREPLY < <(compgen -W "{commands} {options}" -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  if [[ " $valued " == *" $previous "* ]]; then # a value that is no file
    compopt +o default 2>/dev/null
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  fi
}}

complete -o default -F _synchroscope synchroscope
"""


def bash_case(command):
    valued = names(one for one in command["options"] if one["value"] and not takes_file(one))
    return f"    {command['name']}) options=\"{names(command['options'])}\" valued=\"{valued}\" ;;"


def bash(program):
    commands = program["commands"]
    return BASH.format(commands=" ".join(command["name"] for command in commands), options=names(program["options"]),
                       cases="\n".join(map(bash_case, commands)))


# ---- zsh

ZSH = """\
#compdef synchroscope
# Completion of synchroscope for zsh; made from what the program says of its commands.

_synchroscope() {{
  local -a commands=(
{commands}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    _arguments {options}
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
    help) _describe command commands ;;
{cases}
  esac
}}

_synchroscope "$@"
"""


def quoted(text):
    """As one word of the shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def in_zsh(text, specials="\\:[]"):
    """The text, with nothing in it that _arguments or _describe takes for its own."""
    return "".join("\\" + c if c in specials else c for c in text)


def zsh_action(one):
    return "_files" if takes_file(one) else " "


def zsh_option(one):
    value = f":{in_zsh(one['value'])}:{zsh_action(one)}" if one["value"] else ""
    others = "(" + " ".join(one["names"]) + ")" if len(one["names"]) > 1 else "*" if value else ""
    return " ".join(quoted(f"{others}{name}[{in_zsh(one['line'])}]{value}") for name in one["names"])


def zsh_positional(one):
    if takes_command(one):
        return "'*::command:_normal'"
    value = in_zsh(one["value"])
    return quoted(f"*:{value}:{zsh_action(one)}" if one["several"] else f":{value}:{zsh_action(one)}")


def zsh_case(command):
    words = [*map(zsh_option, command["options"]), *map(zsh_positional, command["positionals"])]
    return f"    {command['name']}) _arguments -s \\\n      " + " \\\n      ".join(words) + " ;;"


def zsh(program):
    commands = program["commands"]
    lines = "\n".join("    " + quoted(f"{c['name']}:{in_zsh(c['line'], ':')}") for c in commands)
    return ZSH.format(commands=lines, options=" ".join(map(zsh_option, program["options"])),
                      cases="\n".join(zsh_case(c) for c in commands if c["name"] != "help"))


# ---- fish


def fish_option(condition, one):
    words = ["complete -c synchroscope", f"-n {condition}"]
    words += [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in one["names"]]
    words += ["-r -F" if takes_file(one) else "-x"] if one["value"] else []
    return " ".join(words) + " -d " + fish_quoted(one["line"])


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(program):
    lines = ["# Completion of synchroscope for fish; made from what the program says of its commands."]
    lines += [fish_option("__fish_use_subcommand", one) for one in program["options"]]
    for command in program["commands"]:
        lines.append("complete -c synchroscope -f -n __fish_use_subcommand "
                     f"-a {command['name']} -d {fish_quoted(command['line'])}")
    for command in program["commands"]:
        seen = f"'__fish_seen_subcommand_from {command['name']}'"
        lines += [fish_option(seen, one) for one in command["options"]]
    all_of_them = " ".join(command["name"] for command in program["commands"])
    lines.append(f"complete -c synchroscope -f -n '__fish_seen_subcommand_from help' -a '{all_of_them}'")
    return "\n".join(lines) + "\n"
