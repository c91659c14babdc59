//! The grammar of expressions; `expr/mod.rs` has it as a table. The text was measured by `scan` before, so neither the
//! recursion here nor the depth of the tree can run away.

use std::cell::OnceCell;
use std::ops::Range;

use chumsky::input::MapExtra;
use chumsky::inspector::SimpleState;
use chumsky::prelude::*;
use spec::grammar::name::is_keyword;
use spec::value::Value;

use crate::expr::ast::{BinaryOp, Expr, ExprKind, Ident, UnaryOp};
use crate::expr::template::TemplateError;
use crate::expr::{message, token};

/// The rules of the grammar for one text, made when the first expression needs them.
#[derive(Default)]
pub struct Rules<'a>(OnceCell<Made<'a>>);

struct Made<'a> {
    expression: Rule<'a, Expr>,
    whole_value: Rule<'a, Expr>,
}

/// The expression that the bytes `within` of `text` are, nested at most `depth` levels; `None` when there were mistakes,
/// which are in `errors`.
pub fn expression<'a>(
    text: &'a str,
    within: Range<usize>,
    depth: usize,
    rules: &Rules<'a>,
    errors: &mut Vec<TemplateError>,
) -> Option<Expr> {
    run(&rules.made().expression, text, within, depth, errors)
}

/// The same for a fallback, which is a quoted text or an expression in parentheses with nothing behind it.
pub fn whole_value<'a>(
    text: &'a str,
    within: Range<usize>,
    depth: usize,
    rules: &Rules<'a>,
    errors: &mut Vec<TemplateError>,
) -> Option<Expr> {
    let before = errors.len();
    let expr = run(&rules.made().whole_value, text, within, depth, errors);
    if let Some(first) = errors.get_mut(before) {
        let help = "quote the whole fallback when it is text: `${name:-'(text) more text'}`";
        first.help.get_or_insert_with(|| help.to_owned());
    }
    expr
}

impl<'a> Rules<'a> {
    fn made(&self) -> &Made<'a> {
        self.0.get_or_init(|| {
            let expr = expr().boxed();
            Made {
                expression: padded(expr.clone()).then_ignore(end()).boxed(),
                whole_value: choice((string(), paren(expr))).then_ignore(blanks()).then_ignore(end()).boxed(),
            }
        })
    }
}

fn run<'a>(
    rule: &Rule<'a, Expr>,
    text: &'a str,
    within: Range<usize>,
    depth: usize,
    errors: &mut Vec<TemplateError>,
) -> Option<Expr> {
    let base = within.start;
    let written = &text[within];
    let parse = || rule.parse_with_state(written, &mut SimpleState(base)).into_output_errors();
    let (expr, wrong) = on_a_stack_for(depth, parse);
    errors.extend(wrong.iter().map(|error| message::plain(error, written, base)));
    expr.filter(|_| wrong.is_empty())
}

/// Runs `parse` where an expression nested `depth` levels deep cannot overflow the stack, whatever thread this is.
fn on_a_stack_for<T>(depth: usize, parse: impl FnOnce() -> T) -> T {
    /// Measured: one level of brackets takes about 100 KiB in a build without optimisation, a tenth of that with it.
    const LEVEL: usize = 256 * 1024;
    let needed = (depth + 1) * LEVEL;
    stacker::maybe_grow(needed, needed + LEVEL, parse)
}

/// The state is the byte of the scalar's text at which the parsed part begins.
type Extra<'a> = extra::Full<Rich<'a, char>, SimpleState<usize>, ()>;
type Rule<'a, O> = Boxed<'a, 'a, &'a str, O, Extra<'a>>;

/// What the error messages call the places where a value or an operator is missing.
const VALUE: &str = "a value";
const OPERATOR: &str = "an operator";

/// An expression with or without a `:-`; blanks around it are left alone.
fn expr<'a>() -> impl Parser<'a, &'a str, Expr, Extra<'a>> + Clone {
    recursive(move |inner| {
        let inner = inner.boxed();
        let operand = unary(postfix(inner.clone()));
        let product = chain(operand, products());
        let sum = chain(product, sums());
        let negation = not(comparison(sum));
        let both = chain(negation, logical("&&", '&', "and", BinaryOp::And));
        let either = chain(both, logical("||", '|', "or", BinaryOp::Or));
        let fallback = choice((number(), string(), constant(), paren(inner)));
        let fallback = fallback.labelled("a quoted text, a number, `true`, `false`, `null` or `(…)`");
        let default = blanks().ignore_then(just(":-").labelled(OPERATOR)).ignore_then(blanks()).ignore_then(fallback);
        either.then(default.or_not()).map(|(value, fallback)| match fallback {
            None => value,
            Some(fallback) => {
                let range = value.range.start..fallback.range.end;
                Expr::new(ExprKind::Default(Box::new(value), Box::new(fallback)), range)
            }
        })
    })
}

/// Values joined by operators of one level, from the left.
fn chain<'a>(operand: Rule<'a, Expr>, op: Rule<'a, BinaryOp>) -> Rule<'a, Expr> {
    let op = blanks().ignore_then(op.labelled(OPERATOR)).then_ignore(blanks());
    operand.clone().foldl(op.then(operand).repeated(), |left, (op, right)| binary(op, left, right)).boxed()
}

fn comparison<'a>(sum: Rule<'a, Expr>) -> Rule<'a, Expr> {
    let op = choice((
        just("==").to(BinaryOp::Equal),
        just("!=").to(BinaryOp::NotEqual),
        just("<=").to(BinaryOp::LessEqual),
        just(">=").to(BinaryOp::GreaterEqual),
        just("<").to(BinaryOp::Less),
        just(">").to(BinaryOp::Greater),
        just("=").validate(|_, extra, emitter| {
            emitter.emit(Rich::custom(extra.span(), "`=` does not compare\nwrite `==`"));
            BinaryOp::Equal
        }),
    ));
    let op = blanks().ignore_then(op.labelled(OPERATOR)).then_ignore(blanks());
    let rest = op.map_with(|op, extra| (op, extra.span())).then(sum.clone()).repeated().collect::<Vec<_>>();
    sum.then(rest)
        .validate(|(first, rest), _, emitter| {
            if let Some(((_, span), _)) = rest.get(1) {
                let span: SimpleSpan = *span;
                emitter.emit(Rich::custom(span, "comparisons do not chain\nwrite `a < b && b < c`"));
            }
            rest.into_iter().fold(first, |left, ((op, _), right)| binary(op, left, right))
        })
        .boxed()
}

/// `not` before a comparison, any number of times.
fn not<'a>(comparison: Rule<'a, Expr>) -> Rule<'a, Expr> {
    let word = keyword("not").map_with(|_, extra| (UnaryOp::Not, place(extra).start)).then_ignore(blanks());
    word.repeated().collect::<Vec<_>>().then(comparison).map(|(ops, operand)| prefixed(ops, operand)).boxed()
}

/// `!` and `-` before a value, any number of times. A minus before a digit belongs to the number.
fn unary<'a>(operand: Rule<'a, Expr>) -> Rule<'a, Expr> {
    let digit = any().filter(char::is_ascii_digit);
    let minus = just('-').and_is(just('-').then(digit).not()).to(UnaryOp::Neg);
    let op = choice((just('!').to(UnaryOp::Not), minus)).labelled(VALUE);
    let op = op.map_with(|op, extra| (op, place(extra).start)).then_ignore(blanks());
    op.repeated().collect::<Vec<_>>().then(operand).map(|(ops, operand)| prefixed(ops, operand)).boxed()
}

enum Postfix {
    Field(Ident),
    Index(Expr),
}

/// A value and the fields and indices behind it.
fn postfix<'a>(inner: Rule<'a, Expr>) -> Rule<'a, Expr> {
    let field = just('.').ignore_then(
        segment()
            .labelled("a name")
            .map_with(move |text: &str, extra| Postfix::Field(Ident { text: text.to_owned(), range: place(extra) })),
    );
    let index = padded(inner.clone()).delimited_by(just('['), just(']')).map(Postfix::Index);
    let step = choice((field, index)).map_with(|step, extra| (step, place(extra).end)).labelled(OPERATOR);
    value(inner)
        .foldl(step.repeated(), move |object, (step, end)| {
            let range = object.range.start..end;
            let object = Box::new(object);
            match step {
                Postfix::Field(name) => Expr::new(ExprKind::Field(object, name), range),
                Postfix::Index(index) => Expr::new(ExprKind::Index(object, Box::new(index)), range),
            }
        })
        .boxed()
}

fn value<'a>(inner: Rule<'a, Expr>) -> Rule<'a, Expr> {
    let items = padded(inner.clone()).separated_by(just(',')).at_least(1).collect::<Vec<_>>();
    let items = choice((items, blanks().to(Vec::new()))).boxed();
    let list = items.clone().delimited_by(just('['), just(']')).recover_with(via_parser(nested_delimiters(
        '[',
        ']',
        [('(', ')')],
        |_| Vec::new(),
    )));
    let list = list.map_with(move |items, extra| Expr::new(ExprKind::List(items), place(extra)));
    let arguments = items.delimited_by(just('(').labelled(OPERATOR), just(')'));
    let word = name().filter(|text: &&str| !is_keyword(text));
    let word = word.map_with(|text: &str, extra| Ident { text: text.to_owned(), range: place(extra) });
    let word = word.then(arguments.or_not()).map_with(|(name, arguments), extra| match arguments {
        None => Expr::new(ExprKind::Name(name.text), name.range),
        Some(arguments) => Expr::new(ExprKind::Call(name, arguments), place(extra)),
    });
    choice((number(), string(), constant(), list, paren(inner), word)).labelled(VALUE).boxed()
}

/// An expression in parentheses. A mistake inside does not hide those behind it.
fn paren<'a>(inner: Rule<'a, Expr>) -> Rule<'a, Expr> {
    padded(inner)
        .delimited_by(just('('), just(')'))
        .recover_with(via_parser(nested_delimiters('(', ')', [('[', ']')], |span: SimpleSpan| {
            Expr::new(ExprKind::Literal(Value::Null), span.start..span.end)
        })))
        .boxed()
}

fn number<'a>() -> Rule<'a, Expr> {
    let digit = any().filter(char::is_ascii_digit);
    // More than a number may hold, so that `0x10`, `1.2.3` and `5px` are one mistake each.
    let exponent = one_of("eE").then(one_of("+-")).then(digit).ignored();
    let more = choice((exponent, word_character().ignored(), just('.').ignored())).repeated();
    let text = just('-').or_not().then(digit).then(more).to_slice();
    text.validate(move |text: &str, extra, emitter| {
        let value = token::number(text).unwrap_or_else(|| {
            let help = "write numbers as `12`, `-1.5` or `2e3`; a whole number fits in 64 bits";
            emitter
                .emit(Rich::custom(extra.span(), format!("`{}` is not a number\n{help}", spec::grammar::shown(text))));
            Value::Null
        });
        Expr::new(ExprKind::Literal(value), place(extra))
    })
    .boxed()
}

fn string<'a>() -> Rule<'a, Expr> {
    let literal = none_of("'").or(just("''").to('\''));
    let single = literal.repeated().collect::<String>().delimited_by(just('\''), just('\''));
    let digits = any().filter(char::is_ascii_hexdigit).repeated().to_slice();
    let unicode = just("u{").ignore_then(digits).then_ignore(just('}')).validate(|digits: &str, extra, emitter| {
        u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).unwrap_or_else(|| {
            emitter
                .emit(Rich::custom(extra.span(), "an escape that names no character\nwrite for example `\\u{1f600}`"));
            char::REPLACEMENT_CHARACTER
        })
    });
    let unknown = any().validate(|character: char, extra, emitter| {
        let help =
            "escapes are `\\\"`, `\\\\`, `\\n`, `\\r`, `\\t` and `\\u{…}`; in `'…'` a backslash is only a backslash";
        emitter.emit(Rich::custom(extra.span(), format!("unknown escape `\\{}`\n{help}", character.escape_debug())));
        character
    });
    let known = choice((just('"'), just('\\'), just('n').to('\n'), just('r').to('\r'), just('t').to('\t')));
    let escape = just('\\').ignore_then(choice((known, unicode, unknown)));
    let double = none_of("\"\\").or(escape).repeated().collect::<String>().delimited_by(just('"'), just('"'));
    choice((single, double))
        .map_with(move |text, extra| Expr::new(ExprKind::Literal(Value::String(text)), place(extra)))
        .boxed()
}

fn constant<'a>() -> Rule<'a, Expr> {
    let constant = name().filter(|text: &&str| constant_of(text).is_some());
    constant
        .map_with(move |text, extra| {
            let value = constant_of(text).unwrap_or(Value::Null);
            Expr::new(ExprKind::Literal(value), place(extra))
        })
        .boxed()
}

fn products<'a>() -> Rule<'a, BinaryOp> {
    let multiply = just('*').to(BinaryOp::Multiply);
    choice((multiply, just('/').to(BinaryOp::Divide), just('%').to(BinaryOp::Remainder))).boxed()
}

fn sums<'a>() -> Rule<'a, BinaryOp> {
    choice((just('+').to(BinaryOp::Add), just('-').to(BinaryOp::Subtract))).boxed()
}

/// A logical operator as a symbol or a word; its half is a mistake that is understood.
fn logical<'a>(symbol: &'static str, half: char, word: &'static str, op: BinaryOp) -> Rule<'a, BinaryOp> {
    let half = just(half).validate(move |half, extra, emitter| {
        emitter.emit(Rich::custom(extra.span(), format!("unknown operator `{half}`\nwrite `{symbol}` or `{word}`")));
        op
    });
    choice((just(symbol).to(op), half, keyword(word).to(op))).boxed()
}

fn keyword<'a>(word: &'static str) -> impl Parser<'a, &'a str, &'a str, Extra<'a>> + Clone {
    name().filter(move |text: &&str| *text == word)
}

fn name<'a>() -> impl Parser<'a, &'a str, &'a str, Extra<'a>> + Clone {
    segment().filter(|text: &&str| !text.starts_with(|first: char| first.is_ascii_digit()))
}

/// As `token::segment_end` reads it.
fn segment<'a>() -> impl Parser<'a, &'a str, &'a str, Extra<'a>> + Clone {
    let run = word_character().repeated().at_least(1);
    // Where the name does not go on, a minus is the operator.
    let more = just('-').labelled(OPERATOR).repeated().at_least(1).then(run);
    run.then(more.repeated()).to_slice()
}

fn word_character<'a>() -> impl Parser<'a, &'a str, char, Extra<'a>> + Copy {
    any().filter(|c: &char| c.is_ascii_alphanumeric() || *c == '_')
}

fn padded<'a>(inner: Rule<'a, Expr>) -> impl Parser<'a, &'a str, Expr, Extra<'a>> + Clone {
    blanks().ignore_then(inner).then_ignore(blanks())
}

fn blanks<'a>() -> impl Parser<'a, &'a str, (), Extra<'a>> + Copy {
    any().filter(|c: &char| c.is_whitespace()).repeated()
}

fn constant_of(word: &str) -> Option<Value> {
    match word {
        "null" => Some(Value::Null),
        "true" => Some(Value::Boolean(true)),
        "false" => Some(Value::Boolean(false)),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let range = left.range.start..right.range.end;
    Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)), range)
}

/// `operand` behind operators, each with its first byte, the outermost first.
fn prefixed(ops: Vec<(UnaryOp, usize)>, operand: Expr) -> Expr {
    ops.into_iter().rev().fold(operand, |operand, (op, start)| {
        let range = start..operand.range.end;
        Expr::new(ExprKind::Unary(op, Box::new(operand)), range)
    })
}

/// Where the rule that just matched did so, in the scalar's text.
fn place<'a>(extra: &mut MapExtra<'a, '_, &'a str, Extra<'a>>) -> Range<usize> {
    let span: SimpleSpan = extra.span();
    let base = extra.state().0;
    base + span.start..base + span.end
}
