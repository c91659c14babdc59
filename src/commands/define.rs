//! `define`: the skeleton of a new macro.

use std::path::PathBuf;

use serde_json::json;
use spec::grammar::name;

use crate::args::Define;
use crate::commands::Context;
use crate::exit::Exit;
use crate::files;
use crate::print::escape;
use crate::trouble::Trouble;

/// Writes a macro that compiles and runs as it is.
pub fn define(context: &Context<'_>, args: &Define) -> Result<Exit, Trouble> {
    if context.globals.dry_run {
        return Err(Trouble::usage("`--dry-run` cannot be said of `define`, which writes a file"));
    }
    if !name::is_id(&args.name) {
        let hint = format!(
            "a name is made of letters, digits, `_` and `-`, at most {}, and neither begins nor ends with `-`",
            name::MAX_LENGTH
        );
        return Err(Trouble::usage(format!("`{}` cannot be a macro's name", args.name)).hint(hint));
    }
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.yaml", args.name)));
    let shown = path.display().to_string();
    let text = skeleton(&args.name, &shown);
    let written =
        if args.force { files::write(&path, text.as_bytes()) } else { files::write_new(&path, text.as_bytes()) };
    written.map_err(|reason| {
        if reason == "exists already" {
            let hint = "give another file with `-o`, or write over it with `--force`";
            return Trouble::io(format!("`{shown}` {reason}")).hint(hint);
        }
        Trouble::io(format!("`{shown}` cannot be written: {reason}"))
    })?;
    if context.screen.json {
        context
            .screen
            .document(&json!({"schema": "macrocli.define/1", "success": true, "name": args.name, "path": shown}));
    } else {
        let shown = escape::line(&shown);
        context.screen.out(&format!("{shown}\n"));
        context
            .screen
            .remark(&format!("edit it, then try: macrocli --dry-run run {shown} -p file=/tmp/{}.txt", args.name));
    }
    Ok(Exit::OK)
}

fn skeleton(name: &str, path: &str) -> String {
    let path: String = path.chars().map(|character| if character.is_control() { '?' } else { character }).collect();
    TEMPLATE.replace("NAME", name).replace("PATH", &path)
}

const TEMPLATE: &str = r#"# Find mistakes:  macrocli check PATH
# Try it safely:  macrocli --dry-run run PATH -p file=/tmp/NAME.txt
# Run it:         macrocli run PATH -p file=/tmp/NAME.txt
name: NAME
version: "0.1.0"
description: Say in one sentence what the macro does.

# What a caller gives. Types: string integer float boolean list dict.
parameters:
  file:
    type: string
    required: true
    description: The file to write.
    example: /tmp/NAME.txt
  text:
    type: string
    default: hello
    description: What is written to it.

# Must hold before the first step, for instance:
# preconditions:
#   - file_exists: ${file}

# What is done, in order. `macrocli backends` shows the backends and their actions.
steps:
  - id: write
    backend: file_transform
    action: write_file
    params:
      output_file: ${file}
      text: "${text}\n"
    timeout: 10s
    on_failure: fail # or: skip, continue

# Must hold after the last step; otherwise the run has failed.
postconditions:
  - file_exists: ${file}

# What the caller gets back.
outputs:
  - name: file
    path: ${file}
    description: The file that was written.

agent_hints:
  danger_level: safe
  side_effects: [creates_file]
  reversible: true
"#;
