use std::time::{Duration, Instant};

use proptest::prelude::*;
use spec::value::Value;

use super::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};
use super::template::{Part, Template, parse};
use super::words::{WordsError, split};

/// The template of a text without mistakes.
fn good(text: &str) -> Template {
    let (template, errors) = parse(text);
    assert!(errors.is_empty(), "{text}: {errors:?}");
    template
}

/// The only expression of `${text}`, printed.
fn shown(text: &str) -> String {
    good(&format!("${{{text}}}")).as_single_expr().unwrap().to_string()
}

/// The mistakes of a text: what they are about and what they say.
fn mistakes(text: &str) -> Vec<(String, String)> {
    let (_, errors) = parse(text);
    errors.into_iter().map(|error| (text[error.range].to_owned(), error.message)).collect()
}

fn tree(text: &str) -> ExprKind {
    good(&format!("${{{text}}}")).as_single_expr().unwrap().kind.clone()
}

/// Sets every range to `0..0`, to compare trees alone.
fn bare(mut expr: Expr) -> Expr {
    expr.range = 0..0;
    let boxed = |inner: Box<Expr>| Box::new(bare(*inner));
    let ident = |name: Ident| Ident { text: name.text, range: 0..0 };
    expr.kind = match expr.kind {
        kind @ (ExprKind::Literal(_) | ExprKind::Name(_)) => kind,
        ExprKind::Field(object, name) => ExprKind::Field(boxed(object), ident(name)),
        ExprKind::Index(object, index) => ExprKind::Index(boxed(object), boxed(index)),
        ExprKind::Unary(op, operand) => ExprKind::Unary(op, boxed(operand)),
        ExprKind::Binary(op, left, right) => ExprKind::Binary(op, boxed(left), boxed(right)),
        ExprKind::Default(value, fallback) => ExprKind::Default(boxed(value), boxed(fallback)),
        ExprKind::Call(name, items) => ExprKind::Call(ident(name), items.into_iter().map(bare).collect()),
        ExprKind::List(items) => ExprKind::List(items.into_iter().map(bare).collect()),
        ExprKind::Text(template) => ExprKind::Text(bare_template(template)),
    };
    expr
}

fn bare_template(template: Template) -> Template {
    let parts = template.parts.into_iter().map(|part| match part {
        Part::Text(text) => Part::Text(text),
        Part::Expr { expr, .. } => Part::Expr { expr: bare(expr), range: 0..0 },
    });
    Template { parts: parts.collect() }
}

#[test]
fn plain_text_stays_plain() {
    for text in ["$x", "100$", "a $ b", "$", "$$", "}{", "größe $é", "$ {x}", "$(x)"] {
        assert_eq!(good(text).as_text(), Some(text));
    }
    assert_eq!(good("").parts, []);
    assert_eq!(good("$${HOME}").as_text(), Some("${HOME}"));
    assert_eq!(good("$$${x}").as_text(), Some("$${x}"));
    assert_eq!(good("a $${").as_text(), Some("a ${"));
    assert!(good("a").is_constant() && !good("${a}").is_constant());
}

#[test]
fn parts_and_ranges() {
    let template = good("é ${a.b} $${c} ${ d }");
    let text = "é ${a.b} $${c} ${ d }";
    let ranges: Vec<(&str, &str)> = template
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Expr { expr, range } => Some((&text[range.clone()], &text[expr.range.clone()])),
        })
        .collect();
    assert_eq!(ranges, [("${a.b}", "a.b"), ("${ d }", "d")]);
    assert_eq!(template.parts.len(), 4);
    assert_eq!(template.parts[2], Part::Text(" ${c} ".to_owned()));
    assert!(template.as_single_expr().is_none());
    assert!(good("${a}").as_single_expr().is_some() && good("${a} ").as_single_expr().is_none());
}

#[test]
fn every_node_knows_its_place() {
    let text = "x ${ len(a.b) + -c[ 0 ] * 2 == [1, 'é'] || not d:-(e) } y";
    let mut seen = Vec::new();
    good(text).exprs().for_each(|expr| {
        expr.walk(&mut |node| seen.push(text[node.range.clone()].to_owned()));
    });
    assert_eq!(
        seen,
        [
            "len(a.b) + -c[ 0 ] * 2 == [1, 'é'] || not d:-(e",
            "len(a.b) + -c[ 0 ] * 2 == [1, 'é'] || not d",
            "len(a.b) + -c[ 0 ] * 2 == [1, 'é']",
            "len(a.b) + -c[ 0 ] * 2",
            "len(a.b)",
            "a.b",
            "a",
            "-c[ 0 ] * 2",
            "-c[ 0 ]",
            "c[ 0 ]",
            "c",
            "0",
            "2",
            "[1, 'é']",
            "1",
            "'é'",
            "not d",
            "d",
            "e",
        ]
    );
}

#[test]
fn literals() {
    let literal = |text: &str| {
        let ExprKind::Literal(value) = tree(text) else { panic!("{text} is no literal") };
        value
    };
    assert_eq!(literal("null"), Value::Null);
    assert_eq!(literal(" true "), Value::Boolean(true));
    assert_eq!(literal("-12"), Value::Integer(-12));
    assert_eq!(literal("-9223372036854775808"), Value::Integer(i64::MIN));
    assert_eq!(literal("1.50"), Value::Float(1.5));
    assert_eq!(literal("2e-3"), Value::Float(0.002));
    assert_eq!(literal("'it''s'"), Value::String("it's".to_owned()));
    assert_eq!(literal("'C:\\n'"), Value::String("C:\\n".to_owned()));
    assert_eq!(literal(r#""a\"\\\n\u{e9}}""#), Value::String("a\"\\\né}".to_owned()));
    assert_eq!(literal("''"), Value::String(String::new()));
    assert_eq!(tree("True"), ExprKind::Name("True".to_owned()));
}

#[test]
fn operators_bind_as_documented() {
    let cases = [
        ("a||b&&c", "a || b && c"),
        ("(a||b)&&c", "(a || b) && c"),
        ("not a == b", "!(a == b)"),
        ("!a == b", "!a == b"),
        ("a and not b or c", "a && !b || c"),
        ("a - b - c", "a - b - c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a * b) + (c / d)", "a * b + c / d"),
        ("a*(b+c)%d", "a * (b + c) % d"),
        ("(a < b) == (c < d)", "(a < b) == (c < d)"),
        ("- -a", "--a"),
        ("-5", "-5"),
        ("-(5)", "-(5)"),
        ("- 5", "-(5)"),
        ("1-2", "1 - 2"),
        ("1 - -2", "1 - -2"),
        ("(a).b[0]['k'].0", "a.b[0]['k'].0"),
        ("(a + b).c", "(a + b).c"),
        ("f( )", "f()"),
        ("f(a,[ ],-b)", "f(a, [], -b)"),
        ("a>=b", "a >= b"),
        ("a\n== b", "a == b"),
        ("notes.orders", "notes.orders"),
        ("a.not.true", "a.not.true"),
    ];
    for (text, canonical) in cases {
        assert_eq!(shown(text), canonical, "{text}");
    }
}

#[test]
fn minus_signs_belong_to_names() {
    assert_eq!(tree("out-file"), ExprKind::Name("out-file".to_owned()));
    assert_eq!(shown("steps.open-app.exit-code-2 == 0"), "steps.open-app.exit-code-2 == 0");
    assert_eq!(shown("steps.01_open.pid"), "steps.01_open.pid");
    assert!(matches!(tree("a - b"), ExprKind::Binary(BinaryOp::Subtract, ..)));
    assert!(matches!(tree("a -b"), ExprKind::Binary(BinaryOp::Subtract, ..)));
    assert!(matches!(tree("(a)-1"), ExprKind::Binary(BinaryOp::Subtract, ..)));
}

#[test]
fn fallbacks() {
    let cases = [
        ("out:-/tmp/out.png", "out:-'/tmp/out.png'"),
        ("a:-", "a:-''"),
        ("a:- x y ", "a:-' x y '"),
        ("a:-5", "a:-5"),
        ("a:- true ", "a:-true"),
        ("a:-007", "a:-'007'"),
        ("a:-'x}y'", "a:-'x}y'"),
        ("a:-(b)", "a:-${b}"),
        ("a:-${b}", "a:-${b}"),
        ("a:-${b:-${c}}", "a:-${b:-${c}}"),
        ("a:-${b:-x ${c} y}", "a:-${b:-x ${c} y}"),
        ("a:-/tmp/${b}.png", "a:-/tmp/${b}.png"),
        ("a:-it's", "a:-'it''s'"),
        ("a:-{\"k\": {}}", "a:-'{\"k\": {}}'"),
        ("a:-$${b}", "a:-'${b}'"),
        ("a:-$${b}${c}", "a:-$${b}${c}"),
        ("a || b:-c", "a || b:-'c'"),
        ("(a:-1) + 1", "(a:-1) + 1"),
        ("(a:-(b))", "a:-${b}"),
        ("f(a:-'x', (b:-2))", "f((a:-'x'), (b:-2))"),
        ("a:-b:-c", "a:-'b:-c'"),
        ("a:-:-", "a:-':-'"),
    ];
    for (text, canonical) in cases {
        assert_eq!(shown(text), canonical, "{text}");
        let (again, first) = (good(&format!("${{{canonical}}}")), good(&format!("${{{text}}}")));
        assert_eq!(bare_template(again), bare_template(first), "{text}");
    }
}

#[test]
fn the_closing_brace_is_found() {
    for (text, behind) in [
        ("${a == '}'}!", "!"),
        ("${a == \"\\\"}\"}!", "!"),
        ("${a:-{x}}!", "!"),
        ("${a:-${b:-}}}", "}"),
        ("${d['}']}!", "!"),
    ] {
        assert_eq!(good(text).parts.last(), Some(&Part::Text(behind.to_owned())), "{text}");
    }
}

#[test]
fn broken_expressions_say_what_is_wrong() {
    let cases = [
        ("x ${", "${", "`${` is not closed: no `}` follows"),
        ("${a", "${", "`${` is not closed: no `}` follows"),
        ("${a:-{}", "${", "`${` is not closed: no `}` follows"),
        ("${}", "${}", "there is no expression between `${` and `}`"),
        ("${ }", "${ }", "there is no expression between `${` and `}`"),
        ("${:-x}", "${:-x}", "there is no expression before `:-`"),
        ("${a b}", "b", "expected an operator or the end, found `b`"),
        ("${'a}", "'", "a quote in `${…}` is not closed"),
        ("${a +}", "", "expected a value, found the end"),
        ("${(a}", "", "expected `)` or an operator, found the end"),
        ("${a)}", ")", "expected an operator or the end, found `)`"),
        ("${[a b]}", "b", "expected `,`, `]` or an operator, found `b`"),
        ("${a.}", "", "expected a name, found the end"),
        ("${+a}", "+", "expected a value, found `+`"),
        ("${a = 1}", "=", "`=` does not compare"),
        ("${a & b}", "&", "unknown operator `&`"),
        ("${a | b}", "|", "unknown operator `|`"),
        ("${a < b < c}", "<", "comparisons do not chain"),
        ("${007}", "007", "`007` is not a number"),
        ("${9223372036854775808}", "9223372036854775808", "`9223372036854775808` is not a number"),
        ("${1e400}", "1e400", "`1e400` is not a number"),
        ("${5px}", "5px", "`5px` is not a number"),
        ("${\"\\q\"}", "q", "unknown escape `\\q`"),
        ("${\"\\u{110000}\"}", "u{110000}", "an escape that names no character"),
        ("${and}", "and", "expected a value, found `and`"),
        ("${a == not b}", "not", "expected a value, found `not`"),
        ("${true(1)}", "(", "expected an operator or the end, found `(`"),
        ("${a + ${b}}", "$", "expected a value, found `$`"),
        ("${a ? b : c}", "?", "expected an operator or the end, found `?`"),
        ("${größe}", "ö", "expected an operator or the end, found `ö`"),
        ("${a:-'x' y}", "y", "expected the end, found `y`"),
        ("${a:-(b) c}", "c", "expected the end, found `c`"),
        ("${a:-x ${b c} y}", "c", "expected an operator or the end, found `c`"),
        ("${(a:-b)}", "b", "expected a quoted text, a number, `true`, `false`, `null` or `(…)`, found `b`"),
    ];
    for (text, about, message) in cases {
        assert_eq!(mistakes(text), [(about.to_owned(), message.to_owned())], "{text}");
    }
}

#[test]
fn one_parse_reports_several_mistakes() {
    assert_eq!(mistakes("${a b} ${} ${c}").len(), 2);
    assert_eq!(mistakes("${(a b) + (c d)}").len(), 2);
    assert_eq!(mistakes("${a = 007 & b}").len(), 3);
    let (template, errors) = parse("${a b} ${c}");
    assert_eq!((template.exprs().count(), errors.len()), (1, 1));
    assert!(errors.iter().all(|error| error.range == (4..5)));
    assert!(mistakes(&"${}".repeat(1_000)).len() <= super::template::MAX_ERRORS);
}

#[test]
fn hostile_texts_are_refused_in_bounded_time_and_stack() {
    let mut texts: Vec<String> = [
        "(",
        "${",
        "!",
        "-",
        "[",
        "${a:-",
        "a.",
        "a+",
        "not ",
        "f(",
        "'",
        "\"\\",
        "{",
        ":-",
        "a[",
        "${(",
        "${}",
        "${!a}",
        "${((a))} ",
    ]
    .into_iter()
    .flat_map(|unit| {
        let many = unit.repeat(1_000_000 / unit.len());
        let few = unit.repeat(8_000 / unit.len());
        [format!("${{{many}}}"), format!("${{{few}}}"), format!("${{{few}a}}"), many]
    })
    .collect();
    for (open, close) in [("(", ")"), ("[", "]"), ("f(", ")"), ("a[", "]"), ("a:-(", ")"), ("a:-${", "}"), ("{", "}")] {
        for depth in [60, 64, 1_000, 200_000] {
            texts.push(format!("${{{}a{}}}", open.repeat(depth), close.repeat(depth)));
        }
    }
    let begin = Instant::now();
    // A quarter of what a thread gets by default.
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(move || {
        for text in &texts {
            let (template, _) = parse(text);
            let _ = template.to_string();
            let _ = split(&template);
        }
    });
    thread.unwrap().join().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn depth_is_bounded_but_generous() {
    let nested = |depth: usize| format!("${{{}a{}}}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(&nested(60)).1.is_empty());
    assert_eq!(mistakes(&nested(70))[0].1, "the expression is nested deeper than 64 levels");
    let long = |count: usize| format!("${{a{}}}", " + 1".repeat(count));
    assert!(parse(&long(200)).1.is_empty());
    assert_eq!(mistakes(&long(400))[0].1, "the expression has more than 500 names, values and operators");
    assert!(parse(&"${!a}".repeat(4_096)).1.is_empty());
    assert_eq!(mistakes(&"${a}".repeat(5_000))[0].1, "the text holds more than 4096 expressions");
    assert!(mistakes(&format!("${{'{}'}}", "x".repeat(9_000)))[0].1.contains("within 8192 bytes"));
    assert!(parse(&format!("${{'{}'}}", "x".repeat(8_000))).1.is_empty());
}

/// The words of a command, expressions shown as `${…}`.
fn words(text: &str) -> Result<Vec<String>, WordsError> {
    Ok(split(&good(text))?.iter().map(Template::to_string).collect())
}

#[test]
fn commands_split_as_in_a_shell() {
    let cases: [(&str, &[&str]); 11] = [
        ("printf '%s|' 'a b' \"c d\" e\\ f ''", &["printf", "%s|", "a b", "c d", "e f", ""]),
        ("cp ${src} ${dst}", &["cp", "${src}", "${dst}"]),
        ("cp '${src}' \"x ${dst}\"/y", &["cp", "${src}", "x ${dst}/y"]),
        ("a${b}${c} d", &["a${b}${c}", "d"]),
        ("${program} ${x == 'a b'}", &["${program}", "${x == 'a b'}"]),
        ("ls *.txt ~/x $HOME a?b {a,b} #c d#e", &["ls", "*.txt", "~/x", "$HOME", "a?b", "{a,b}", "#c", "d#e"]),
        ("echo '> | & ; `' \"$(x)\" \\>", &["echo", "> | & ; `", "$(x)", ">"]),
        ("  a\tb\n c \n", &["a", "b", "c"]),
        ("echo $${x} a=b", &["echo", "$${x}", "a=b"]),
        ("a '\u{f0000}' ${b}\u{f0001}", &["a", "\u{f0000}", "${b}\u{f0001}"]),
        ("größe \"日本 語\"", &["größe", "日本 語"]),
    ];
    for (text, expected) in cases {
        assert_eq!(words(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn commands_that_need_a_shell_are_refused() {
    let shell = |text, at| Err(WordsError::Shell { text, at });
    assert_eq!(words("echo hi > /tmp/t/o | wc"), shell(">", 8));
    assert_eq!(words("é $${x} ${a}|b"), shell("|", 13));
    assert_eq!(words("a & b"), shell("&", 2));
    assert_eq!(words("a; b"), shell(";", 1));
    assert_eq!(words("a `b`"), shell("`", 2));
    assert_eq!(words("a $(b)"), shell("$(", 2));
    assert_eq!(words("a < b"), shell("<", 2));
    assert_eq!(words("echo 'oops"), Err(WordsError::Unbalanced { quote: '\'', at: 5 }));
    assert_eq!(words("echo \"oops ${a}"), Err(WordsError::Unbalanced { quote: '"', at: 5 }));
    assert_eq!(words("echo oops\\"), Err(WordsError::Unbalanced { quote: '\\', at: 9 }));
    assert_eq!(words("echo \\${a}"), Err(WordsError::Escaped { at: 5 }));
    for empty in ["", "  \n", "''", "'' a"] {
        assert_eq!(words(empty), Err(WordsError::Empty), "{empty}");
    }
    for text in ["FOO=1 env", "FOO=${x} env", "_A1= b"] {
        assert!(matches!(words(text), Err(WordsError::Assignment { .. })), "{text}");
    }
    assert_eq!(words("FOO=1 env").unwrap_err().help(), "set variables with `env: {FOO: …}`");
    let crowded: String = ('\u{f0000}'..='\u{ffffd}').collect();
    assert_eq!(words(&crowded), Err(WordsError::Characters));
}

fn any_name() -> impl Strategy<Value = String> {
    "[a-z_][a-z0-9_]{0,3}(-[a-z0-9]{1,2})?".prop_filter("no keyword", |name| !spec::grammar::name::is_keyword(name))
}

fn any_literal() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Boolean),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::Float),
        "\\PC{0,6}|[a'\"{}$\\\\\n\t]{0,6}".prop_map(Value::String),
    ]
}

fn any_expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![any_literal().prop_map(ExprKind::Literal), any_name().prop_map(ExprKind::Name)];
    let ident = |text: String| Ident { text, range: 0..0 };
    leaf.prop_map(|kind| Expr::new(kind, 0..0)).prop_recursive(5, 24, 3, move |inner| {
        let one = inner.clone().prop_map(Box::new);
        let two = (one.clone(), one.clone());
        let many = proptest::collection::vec(inner, 0..3);
        let binary = proptest::sample::select(vec![
            BinaryOp::Or,
            BinaryOp::And,
            BinaryOp::Equal,
            BinaryOp::LessEqual,
            BinaryOp::Greater,
            BinaryOp::Add,
            BinaryOp::Subtract,
            BinaryOp::Multiply,
            BinaryOp::Remainder,
        ]);
        prop_oneof![
            (one.clone(), "[a-z0-9_]{1,3}(-[a-z0-9]{1,2})?")
                .prop_map(move |(object, name)| ExprKind::Field(object, ident(name))),
            two.clone().prop_map(|(object, index)| ExprKind::Index(object, index)),
            one.clone().prop_map(|operand| ExprKind::Unary(UnaryOp::Not, operand)),
            one.prop_map(|operand| ExprKind::Unary(UnaryOp::Neg, operand)),
            (binary, two.clone()).prop_map(|(op, (left, right))| ExprKind::Binary(op, left, right)),
            two.prop_map(|(value, fallback)| ExprKind::Default(value, fallback)),
            (any_name(), many.clone()).prop_map(move |(name, items)| ExprKind::Call(ident(name), items)),
            many.prop_map(ExprKind::List),
        ]
        .prop_map(|kind| Expr::new(kind, 0..0))
    })
}

proptest! {
    #[test]
    fn expressions_round_trip(expr in any_expr()) {
        let text = format!("${{{expr}}}");
        let (template, errors) = parse(&text);
        prop_assert!(errors.is_empty(), "{}: {:?}", text, errors);
        prop_assert_eq!(bare(template.as_single_expr().unwrap().clone()), expr, "{}", text);
    }

    #[test]
    fn constant_texts_round_trip(text in "[a${}]{0,12}|\\PC{0,20}") {
        // A `$` before a literal `${` cannot be told from the escape itself.
        prop_assume!(!text.contains("$${"));
        let template = good(&text.replace("${", "$${"));
        prop_assert_eq!(template.as_text(), Some(text.as_str()));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,30}|[a1é${}()\\[\\]:'\"\\\\.!+<=&| -]{0,40}|\\$\\{[a1é${}()\\[\\]:'\"\\\\.,!+<=&| -]{0,40}\\}") {
        let (template, errors) = parse(&text);
        for error in &errors {
            prop_assert!(text.get(error.range.clone()).is_some());
            prop_assert!(!error.message.is_empty());
        }
        if errors.is_empty() {
            for expr in template.exprs() {
                expr.walk(&mut |node| assert!(text.get(node.range.clone()).is_some()));
                let again = good(&format!("${{{expr}}}"));
                prop_assert_eq!(bare(again.as_single_expr().unwrap().clone()), bare(expr.clone()));
            }
        }
        let _ = split(&template);
    }

    #[test]
    fn splitting_keeps_every_expression(text in "([ab'\" \\\\]|\\$\\{x\\}){0,20}") {
        let template = good(&text);
        if let Ok(words) = split(&template) {
            let kept: usize = words.iter().map(|word| word.exprs().count()).sum();
            prop_assert_eq!(kept, template.exprs().count());
        }
    }
}
