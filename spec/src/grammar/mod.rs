pub mod keys {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Chord;
    #[derive(Debug)]
    pub struct E;
    impl std::fmt::Display for E {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Ok(())
        }
    }
    pub fn parse(_: &str) -> Result<Chord, E> {
        Ok(Chord)
    }
    pub fn parse_list(_: &[&str]) -> Result<Chord, E> {
        Ok(Chord)
    }
}
pub mod dot_path {
    #[derive(Clone, Debug, PartialEq)]
    pub struct DotPath;
    #[derive(Debug)]
    pub struct E;
    impl std::fmt::Display for E {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Ok(())
        }
    }
    pub fn parse(_: &str) -> Result<DotPath, E> {
        Ok(DotPath)
    }
}
