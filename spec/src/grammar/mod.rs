//! Stand-in until the grammars are merged: the same names, hardly any grammar.
#![allow(missing_docs)]
pub mod keys {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Chord(String);
    impl std::fmt::Display for Chord {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0)
        }
    }
    #[derive(Debug)]
    pub struct E;
    impl std::fmt::Display for E {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Ok(())
        }
    }
    pub fn parse(text: &str) -> Result<Chord, E> {
        Ok(Chord(text.to_owned()))
    }
    pub fn parse_list(keys: &[&str]) -> Result<Chord, E> {
        Ok(Chord(keys.join("+")))
    }
}
pub mod dot_path {
    #[derive(Clone, Debug, PartialEq)]
    pub struct DotPath(String);
    impl std::fmt::Display for DotPath {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0)
        }
    }
    #[derive(Debug)]
    pub struct E;
    impl std::fmt::Display for E {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Ok(())
        }
    }
    pub fn parse(text: &str) -> Result<DotPath, E> {
        Ok(DotPath(text.to_owned()))
    }
}
pub mod nearest {
    pub fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        let near = |name: &&str| name.len() == found.len() && name.bytes().all(|byte| found.as_bytes().contains(&byte));
        known.into_iter().find(near)
    }
}
