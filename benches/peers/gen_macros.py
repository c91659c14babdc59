#!/usr/bin/env python3
"""Usage: gen_macros.py COUNT FOLDER: writes COUNT macros as people write them, about 1.7 KB each: three parameters, four steps, two
conditions. The same COUNT gives the same files, and every file is free of errors and warnings."""

import pathlib
import random
import sys

APPLICATIONS = ["gedit", "inkscape", "gimp", "mousepad", "blender", "audacity", "kdenlive", "drawio"]
SUBJECTS = ["poster", "banner", "report", "sketch", "track", "scene"]

HEAD = """\
name: macro_{number:05d}
version: "1.{minor}"
description: >
  Export the current {application} document as {subject}.
  Sets the mode, runs the export and checks the file it wrote.
tags: [{application}, export, generated]

parameters:
  output:
    type: string
    required: true
    description: Where the exported file goes.
    example: /tmp/{subject}_{number}.png
  quality:
    type: integer
    default: {quality}
    min: 1
    max: 600
    description: Resolution in dots per inch.
    example: 300
  mode:
    type: string
    default: plain
    enum: [plain, fast, best]
    description: How the export is done.

preconditions:
  - process_running: {application}

steps:
"""

# The first is always there, so that every parameter is used.
EXPORT = """\
  - id: export_{place}
    backend: native_api
    action: run_command
    params:
      command: [{application}, "--export-filename", "${{output}}", "--dpi", "${{quality}}", "--mode=${{mode}}"]
      capture_stdout: true
    timeout_ms: {timeout}
    on_failure: fail
"""

OTHERS = [
    """\
  - id: set_{place}
    backend: file_transform
    action: json_set
    params:
      input_file: /tmp/{application}/config.json
      path: "settings.export.{subject}"
      value: "${{mode}}"
    timeout_ms: {timeout}
    on_failure: continue
""",
    """\
  - id: focus_{place}
    backend: semantic_ui
    action: focus_window
    params:
      title_contains: "{application}"
    on_failure: fail
""",
    """\
  - id: chord_{place}
    backend: visual_anchor
    action: hotkey
    params:
      keys: "ctrl+shift+{letter}"
    timeout_ms: {timeout}
    on_failure: skip
""",
    """\
  - id: wait_{place}
    backend: semantic_ui
    action: wait_for_window
    params:
      title_contains: "Export {subject}"
      timeout_ms: {timeout}
    retry_policy:
      max_retries: 2
      backoff_ms: [250, 1000]
    on_failure: fail
""",
    """\
  - id: click_{place}
    backend: visual_anchor
    action: click_relative
    params:
      window_title: "{application}"
      x_pct: {x}
      y_pct: {y}
      button: left
    on_failure: fail
""",
    """\
  - id: type_{place}
    backend: visual_anchor
    action: type_text
    params:
      text: "${{output}}"
      interval_ms: 10
    on_failure: fail
""",
]

TAIL = """
postconditions:
  - file_size_gt: ["${{output}}", {size}]

outputs:
  - name: exported_file
    path: "${{output}}"
    description: The exported file.

agent_hints:
  danger_level: safe
  side_effects: [creates_file]
  reversible: true
  estimated_duration_ms: {timeout}
"""


def macro(number):
    """The text of one macro, decided by its number alone."""
    dice = random.Random(number)
    values = {
        "number": number,
        "minor": dice.randrange(10),
        "application": dice.choice(APPLICATIONS),
        "subject": dice.choice(SUBJECTS),
        "quality": dice.choice([72, 96, 150, 300]),
        "size": dice.choice([0, 64, 1024]),
        "timeout": dice.choice([2000, 5000, 10000, 30000]),
    }
    steps = []
    for place, step in enumerate([EXPORT, *dice.sample(OTHERS, 3)]):
        aim = {"letter": dice.choice("egps"), "x": dice.randrange(5, 96) / 100, "y": dice.randrange(5, 96) / 100}
        steps.append(step.format(place=place, **aim, **values))
    return HEAD.format(**values) + "\n".join(steps) + TAIL.format(**values)


def write(count, folder):
    """Writes the macros 0 to count - 1 into a new folder, or leaves a folder that is complete."""
    folder = pathlib.Path(folder)
    complete = folder.with_name(folder.name + ".complete")
    if complete.exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"macro_{number:05d}.yaml").write_text(macro(number))
    complete.touch()
    return folder


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write(int(sys.argv[1]), sys.argv[2])
