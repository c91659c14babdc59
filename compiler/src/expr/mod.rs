//! What may stand in a scalar of a macro: text with `${…}` expressions in it.
//!
//! # Text
//! `${ expression }` is replaced by its value, `$${` is a literal `${`, and every other `$` is plain text. Where a
//! value must follow a dollar sign, write the dollar sign as an expression too: `${'$'}${price}`.
//!
//! # Expressions, from the loosest to the tightest
//! | form | meaning |
//! |---|---|
//! | `x:-fallback` | `x`, or the fallback when `x` has no value; the whole of a `${…}`, a `(…)`, an index, an item or an argument |
//! | `a \|\| b`, `a or b` | either |
//! | `a && b`, `a and b` | both |
//! | `not a` | negation of a whole comparison |
//! | `== != < <= > >=` | comparison; does not chain |
//! | `+ -` | sum of numbers |
//! | `* / %` | product of numbers |
//! | `!a`, `-a` | negation |
//! | `a.b`, `a[b]`, `f(a, b)` | field, item, function |
//! | `null true false 12 1.5e3 'text' "text" [a, b] (a) name` | values |
//!
//! In `'…'` everything stands for itself and `''` is one quote; `"…"` knows `\" \\ \n \r \t \u{1f600}`.
//!
//! # Minus signs in names
//! Parameters and step ids may contain `-`, so a `-` directly between two characters of a name belongs to the name,
//! everywhere: `${out-file}`, `steps.open-app.pid`. Between two names a minus therefore needs a blank: `a - b`. Behind a
//! number, a `)` or a `]` it needs none: `(a)-1`.
//!
//! # Fallbacks
//! After `:-` stand a quoted text, a number, `true`, `false`, `null`, or an expression in parentheses. At the level of
//! the `${…}` itself, anything else is taken as text up to the closing brace, as a shell takes it, blanks included:
//! `${out:-/tmp/out.png}`. Such a text may hold further `${…}`, and when it is exactly one, that expression is the
//! fallback. Braces in it must be balanced. A text that begins with a quote or a `(` must be quoted as a whole.

pub mod ast;
mod display;
mod fallback;
mod message;
mod parser;
mod scan;
pub mod template;
mod token;
pub mod words;

#[cfg(test)]
mod tests;
