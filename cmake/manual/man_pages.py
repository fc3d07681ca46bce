"""Manual pages of a described program: one of its own and one for each command."""

import re


def plain(text):
    """The text, with nothing in it that the formatter takes for its own."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    return re.sub(r"^\.", r"\\&.", text.replace("~", "\\(ti"), flags=re.M)


def as_typed(text):
    """Lines that stay as they are."""
    return ".nf\n" + re.sub(r"\n\n+", "\n.sp\n", plain(text.strip("\n"))) + "\n.fi\n"


def bold(text):
    return f"\\fB{plain(text)}\\fR"


def italic(text):
    return f"\\fI{plain(text)}\\fR"


def positional(one):
    text = " ".join(bold(word) if word == "--" else italic(word) for word in one["value"].split())
    text += " ..." if one["several"] else ""
    return text if one["required"] else f"[{text}]"


def heading(name, version, date):
    return f'.TH "{plain(name.upper())}" 1 "{date}" "synchroscope {version}" "Synchroscope"\n'


def options(all_of_them):
    """A section for each group."""
    text, group = "", None
    for one in all_of_them:
        if one["group"] != group:
            group = one["group"]
            words = re.match(r"[^,(:]*", group).group().strip()
            text += f".SH {plain(words.upper())}\n" + (plain(group) + ".\n" if words != group else "")
        names = ", ".join(bold(name) for name in one["names"])
        value = " ".join(italic(word) for word in one["value"].split())
        text += f".TP\n{' '.join(filter(None, (names, value)))}\n{plain(one['line'])}\n"
    return text


def endings(text):
    """What the help ends with: examples, then the rest under its own first words."""
    made = ""
    for part in re.split(r"(?m)^(?=Examples?:|Exit status:)", text):
        title, colon, rest = part.partition(":")
        if colon and title in ("Example", "Examples", "Exit status"):
            made += f".SH {title.upper()}\n{as_typed(rest.strip(' '))}"
        elif part.strip():
            made += ".SH NOTES\n" + as_typed(part)
    return made


def page_of_command(command, version, date):
    name = "synchroscope-" + command["name"]
    words = [bold("synchroscope " + command["name"]), "[" + italic("OPTIONS") + "]"]
    words += [positional(one) for one in command["positionals"]]
    return (heading(name, version, date) + f".SH NAME\n{plain(name)} \\- {plain(command['line'])}\n"
            f".SH SYNOPSIS\n{' '.join(words)}\n" +
            options([one | {"group": "Arguments"} for one in command["positionals"]]) +
            options(command["options"]) + endings(command["ends_with"]) + ".SH SEE ALSO\n.BR synchroscope (1)\n")


def page_of_program(program, version, date):
    commands = [command for command in program["commands"] if command["name"] != "help"]
    pages = ",\n".join(f".BR synchroscope\\-{plain(command['name'])} (1)" for command in commands)
    lines = "".join(f".TP\n{bold(command['name'])}\n{plain(command['line'])}\n" for command in program["commands"])
    return (heading("synchroscope", version, date) +
            ".SH NAME\nsynchroscope \\- measures what synchronization costs on this machine\n"
            f".SH SYNOPSIS\n{bold('synchroscope')} [{italic('COMMAND')} [{italic('OPTIONS')}]]\n"
            f".SH DESCRIPTION\n{as_typed(program['line'])}" + options(program["options"]) +
            f".SH COMMANDS\n{lines}" + endings(program["ends_with"]) + f".SH SEE ALSO\n{pages}\n")


def pages(program, version, date):
    """File names to texts."""
    made = {f"synchroscope-{command['name']}.1": page_of_command(command, version, date)
            for command in program["commands"] if command["name"] != "help"}
    made["synchroscope.1"] = page_of_program(program, version, date)
    return made
