#!/usr/bin/env python3
"""Keeps one copy of code that Verilator generated once per instance of a module.

usage: cmake/fold_instances.py FOLDER

Verilator merges functions of a module's instances when they are alike, but it
numbers the temporaries of inlined functions through the whole design and writes
the instance's path into the text of assertions, so that they never are. Here the
comparison is made without both; calls go to the first of equal functions, which
takes the path from the instance at run time. The model is as before, but its code
is one of 16 channels, and stays in the caches. What is not alike stays as it is.
"""
import pathlib
import re
import sys

FUNCTION = re.compile(
    r"^(?:VL_INLINE_OPT |VL_ATTR_COLD )?void (?P<name>(?P<cls>\w+?)___\w+?__TOP__(?P<scope>\w+?)__\d+)"
    r"\((?P=cls)\* vlSelf\) \{\n(?P<body>.*?)^\}\n", re.S | re.M)
TEMPORARY = re.compile(r"\b__V(func|task)_(\w+?)__(\d+)__(?!_)")


def path_of(scope):
    """The instance's path as assertions print it."""
    for text, sign in (("__DOT__", "."), ("__BRA__", "["), ("__KET__", "]")):
        scope = scope.replace(text, sign)
    return scope.replace("]__", "].").replace("]..", "].")


def canonical(function):
    """The body without what differs from instance to instance by name only."""
    ordinals = {}

    def renamed(match):
        return f"__V{match[1]}__{ordinals.setdefault(match[0], len(ordinals))}__"

    body = function["body"].replace(function["name"], "").replace("%N" + path_of(function["scope"]), "%N")
    body = re.sub(r"\s+", " ", TEMPORARY.sub(renamed, body))
    return re.sub(r"(?<!\w) | (?!\w)", "", body)


def main(folder):
    files = {path: path.read_text() for path in sorted(pathlib.Path(folder).glob("*.cpp"))}
    first = {}    # by class and body
    calls = {}    # name of a duplicate -> the function that is kept
    shared = set()
    for text in files.values():
        for function in FUNCTION.finditer(text):
            key = (function["cls"], canonical(function))
            kept = first.setdefault(key, function["name"])
            if kept != function["name"]:
                calls[function["name"]] = kept
                shared.add(kept)
    if not calls:
        return

    def rewritten(function):
        if function["name"] in calls:
            return ""
        if function["name"] not in shared:
            return function[0]
        path = "%N" + path_of(function["scope"])
        return re.sub(
            r"VL_(?:WRITEF|FATAL\w*|STOP\w*)\(.*?\);",
            lambda call: call[0].replace(path + ".", "%N").replace("vlSymsp->name()", "vlSelf->name()")
            if path in call[0] else call[0],
            function[0], flags=re.S)

    for path, text in files.items():
        text = FUNCTION.sub(rewritten, text)
        text = re.sub(r"\b\w+___\w+__TOP__\w+\b", lambda name: calls.get(name[0], name[0]), text)
        path.write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
