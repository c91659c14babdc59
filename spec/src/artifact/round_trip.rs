//! Arbitrary artifacts survive the trip through bytes.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};

use crate::artifact::{
    Artifact, Constant, Constants, Debug, Event, EventKind, Image, Macro, Manifest, Meta, OnFailure, ParameterRecord,
    Place, ResultKind, ResultRecord, RouteRecord, StepKind, StepRecord, Stream, TypeTag, seal,
};
use crate::op::Op;

fn text() -> impl Strategy<Value = String> {
    "\\PC{0,12}"
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..4)
}

fn constant() -> impl Strategy<Value = Constant> {
    prop_oneof![
        Just(Constant::Null),
        any::<bool>().prop_map(Constant::Boolean),
        any::<i64>().prop_map(Constant::Integer),
        (-1e300..1e300).prop_map(Constant::Float),
        text().prop_map(Constant::Number),
        text().prop_map(Constant::String),
        vec(any::<u32>(), 0..5).prop_map(Constant::List),
        vec(any::<(u32, u32)>(), 0..5).prop_map(Constant::Dict),
    ]
}

/// Any instruction, from any bytes behind its number.
fn op() -> impl Strategy<Value = Op> {
    (0..Op::TABLE.len(), any::<[u8; 32]>()).prop_filter_map("operands", |(row, operands)| {
        let bytes = [&[Op::TABLE[row].number][..], &operands].concat();
        Op::read(&mut &bytes[..])
    })
}

fn parameter() -> impl Strategy<Value = ParameterRecord> {
    let ty = prop_oneof![Just(TypeTag::String), Just(TypeTag::Integer), Just(TypeTag::Dict)];
    let numbers =
        (option::of(any::<u32>()), vec(any::<u32>(), 0..3), option::of(any::<u32>()), option::of(any::<u32>()));
    (text(), ty, any::<[bool; 3]>(), numbers, text(), option::of(any::<u32>())).prop_map(
        |(name, ty, [required, secret, needed], (default, choices, min, max), description, example)| ParameterRecord {
            name,
            ty,
            required,
            secret,
            needed,
            default,
            choices,
            min,
            max,
            description,
            example,
        },
    )
}

fn macro_record() -> impl Strategy<Value = Macro> {
    let result = (text(), any::<bool>(), text()).prop_map(|(name, path, description)| {
        let kind = if path { ResultKind::Path } else { ResultKind::Value };
        ResultRecord { name, kind, description }
    });
    (text(), vec(parameter(), 0..3), vec(result, 0..3), any::<(u16, u32, u32)>(), option::of(any::<u64>())).prop_map(
        |(name, parameters, results, (slots, start, end), timeout_us)| Macro {
            name,
            parameters,
            results,
            slots,
            start,
            end,
            timeout_us,
        },
    )
}

fn step() -> impl Strategy<Value = StepRecord> {
    let kind = prop_oneof![
        (any::<u32>(), option::of(any::<u32>())).prop_map(|(route, fallback)| StepKind::Act { route, fallback }),
        any::<u32>().prop_map(|callee| StepKind::Call { callee }),
    ];
    let failure = prop_oneof![Just(OnFailure::Fail), Just(OnFailure::Skip), Just(OnFailure::Continue)];
    (text(), any::<(u32, bool, bool, u64, u32, u64)>(), kind, vec(any::<u64>(), 0..3), failure, texts()).prop_map(
        |(id, (owner, recovery, must_run, timeout_us, retries, within_us), kind, backoff_us, on_failure, outputs)| {
            StepRecord {
                id,
                owner,
                kind,
                recovery,
                must_run,
                timeout_us,
                retries,
                backoff_us,
                on_failure,
                within_us,
                outputs,
            }
        },
    )
}

fn stream() -> impl Strategy<Value = Stream> {
    let event = (1u8..=12, any::<(u64, u8, u16, i32, i32)>(), any::<(u32, u32, u32, u32)>()).prop_filter_map(
        "kinds",
        |(kind, (at_us, button, modifiers, x, y), (value, text, step, duration_ms))| {
            let kind = EventKind::by_number(kind)?;
            Some(Event { at_us, kind, button, modifiers, x, y, value, text, step, duration_ms })
        },
    );
    (text(), any::<(u32, u32)>(), text(), any::<u32>(), vec(event, 0..5), texts(), texts()).prop_map(
        |(path, screen, layout_hash, steps, events, texts, blanks)| Stream {
            path,
            screen,
            layout_hash,
            steps,
            events,
            texts,
            blanks,
        },
    )
}

fn image() -> impl Strategy<Value = Image> {
    (text(), 1u32..5, 1u32..5, any::<[u8; 64]>()).prop_map(|(path, width, height, pixels)| {
        let rgba = pixels.iter().copied().cycle().take((width * height * 4) as usize).collect();
        Image { path, width, height, rgba }
    })
}

fn debug() -> impl Strategy<Value = Debug> {
    let place = any::<[u32; 5]>().prop_map(|[file, line, column, end_line, end_column]| Place {
        file,
        line,
        column,
        end_line,
        end_column,
    });
    (texts(), vec(place, 0..4), vec(any::<u32>(), 0..9), vec(any::<u32>(), 0..9))
        .prop_map(|(files, places, code, steps)| Debug { files, places, code, steps })
}

fn artifact() -> impl Strategy<Value = Artifact> {
    let meta = (text(), text(), texts(), any::<bool>()).prop_map(|(name, description, tags, composable)| Meta {
        name,
        description,
        tags,
        composable,
        ..Meta::default()
    });
    let manifest =
        (texts(), texts(), any::<[bool; 4]>()).prop_map(|(programs, hosts, [types, clicks, captures, model])| {
            Manifest { programs, hosts, types, clicks, captures, model, ..Manifest::default() }
        });
    let route = vec(any::<u8>(), 0..4).prop_map(|actions| RouteRecord { actions });
    let tables = (vec(macro_record(), 0..3), vec(step(), 0..4), vec(route, 0..4));
    let media = (vec(stream(), 0..3), vec(image(), 0..3));
    (meta, vec(constant(), 0..9), vec(op(), 0..40), tables, media, manifest, debug()).prop_map(
        |(meta, list, code, (macros, steps, routes), (streams, images), manifest, debug)| Artifact {
            meta,
            constants: Constants { list },
            code,
            macros,
            steps,
            routes,
            streams,
            images,
            manifest,
            debug,
        },
    )
}

proptest! {
    #[test]
    fn artifacts_read_back(artifact in artifact()) {
        let bytes = artifact.to_bytes();
        prop_assert_eq!(bytes.len() % 16, 0);
        prop_assert_eq!(&Artifact::from_bytes(&bytes).unwrap(), &artifact);
        prop_assert_eq!(artifact.to_bytes(), bytes);
    }

    #[test]
    fn artifacts_can_be_printed(artifact in artifact()) {
        let text = artifact.disassemble();
        prop_assert_eq!(text.lines().filter(|line| line.starts_with("macro ")).count(), artifact.macros.len());
    }

    #[test]
    fn sealed_changes_have_one_form(artifact in artifact(), place in any::<usize>(), byte in any::<u8>()) {
        let mut bytes = artifact.to_bytes();
        let place = 48 + place % (bytes.len() - 48);
        bytes[place] = byte;
        seal(&mut bytes);
        if let Ok(read) = Artifact::from_bytes(&bytes) {
            prop_assert_eq!(read.to_bytes(), bytes);
        }
    }
}
