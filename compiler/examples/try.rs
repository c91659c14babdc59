use macrocli_compiler::sources::*;
use std::path::*;
struct S;
impl Sources for S {
    fn find_macro(&self, name: &str, from: &str) -> Result<Found, NotFound> {
        let root = std::env::var("ROOT").unwrap_or(".".into());
        for e in walk(Path::new(&root)) {
            if e.file_stem().map(|s| s == name).unwrap_or(false) {
                return Ok(Found { path: e.display().to_string(), bytes: std::fs::read(&e).unwrap() });
            }
        }
        let _ = from;
        Err(NotFound::Unknown(vec![]))
    }
    fn read(&self, path: &str, from: &str) -> Result<Vec<u8>, String> {
        std::fs::read(Path::new(from).parent().unwrap().join(path)).map_err(|e| e.to_string())
    }
}
fn walk(p: &Path) -> Vec<PathBuf> {
    let mut v = vec![];
    if p.is_dir() {
        let mut es: Vec<_> = std::fs::read_dir(p).unwrap().map(|e| e.unwrap().path()).collect();
        es.sort();
        for e in es {
            v.extend(walk(&e))
        }
    } else if p.extension().map(|e| e == "yaml").unwrap_or(false) {
        v.push(p.into())
    }
    v
}
fn main() {
    let t = std::time::Instant::now();
    let mut n = 0;
    let mut ops = 0;
    for a in std::env::args().skip(1) {
        for f in walk(Path::new(&a)) {
            n += 1;
            let b = std::fs::read(&f).unwrap();
            let c = macrocli_compiler::compile(&f.display().to_string(), &b, &S, macrocli_compiler::Target::Any);
            if let Some(x) = &c.artifact {
                ops += x.code.len();
                if std::env::var("OPS").is_ok() {
                    for (i, o) in x.code.iter().enumerate() {
                        println!("{i:4} {o}");
                    }
                }
            }
            if std::env::var("Q").is_err() {
                println!("{}: {}", f.display(), if c.artifact.is_some() { "ok" } else { "FAILED" });
                for d in c.diagnostics {
                    let s = c.sources.get(d.span.file).unwrap();
                    let p = s.place(d.span.start);
                    println!(
                        "  {}:{}:{} {} [{}] `{}` help={:?}",
                        s.path,
                        p.line,
                        p.column,
                        d.message,
                        d.code,
                        c.sources.text(d.span).chars().take(40).collect::<String>(),
                        d.help
                    );
                    for l in d.labels {
                        let s = c.sources.get(l.span.file).unwrap();
                        let p = s.place(l.span.start);
                        println!("     label {}:{} {}", p.line, p.column, l.message)
                    }
                }
            }
        }
    }
    println!("{n} files {ops} ops in {:?}", t.elapsed());
}
