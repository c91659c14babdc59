//! Plain tables for people.

use crate::print::escape;

/// Rows in columns that are as wide as their widest cell, under a line of headings; the last column is not padded.
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
    let rows: Vec<Vec<String>> =
        std::iter::once(&headings).chain(rows).map(|row| row.iter().map(|cell| escape::line(cell)).collect()).collect();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..headings.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:width$}  "));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The first sentence or line of a text, at most `limit` characters.
pub fn brief(text: &str, limit: usize) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let sentence = line.split_once(". ").map_or(line, |(sentence, _)| sentence).trim_end_matches('.');
    if sentence.chars().count() <= limit {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(limit.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use crate::print::table::{brief, table};

    #[test]
    fn columns_are_aligned() {
        let rows = [vec!["ab".to_owned(), "x".to_owned()], vec!["é\n".to_owned(), String::new()]];
        assert_eq!(table(&["n", "d"], &rows), "n    d\nab   x\né\\n\n");
        assert_eq!(brief("One thing. Another.", 20), "One thing");
        assert_eq!(brief("abcdef", 4), "abc…");
    }
}
