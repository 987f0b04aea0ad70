//! Tables in the terminal: columns with titles, numbers to the right.

use crate::context::Context;

/// Columns under titles that stand in one message, `number|empties|score`.
pub(crate) struct Columns {
    titles: Vec<String>,
    widths: Vec<usize>,
}

impl Columns {
    /// Columns at least as wide as their titles.
    pub(crate) fn new(titles: &str, widths: &[usize]) -> Columns {
        let titles: Vec<String> = titles.split('|').map(|title| title.trim().to_owned()).collect();
        let wide = |(title, &width): (&String, &usize)| width.max(title.chars().count());
        let widths = titles.iter().zip(widths).map(wide).collect();
        Columns { titles, widths }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.titles.len()
    }

    pub(crate) fn title(&self) -> String {
        self.row(&self.titles)
    }

    /// One line; cells beyond the columns follow as they are.
    pub(crate) fn row(&self, cells: &[String]) -> String {
        let mut line = String::new();
        for (at, cell) in cells.iter().enumerate() {
            let width = self.widths.get(at).copied().unwrap_or(0);
            if at > 0 {
                line.push_str("  ");
            }
            line.push_str(&format!("{cell:>width$}"));
        }
        line.trim_end().to_owned()
    }
}

/// Nodes a second, in millions: `31.2 M`.
pub(crate) fn rate(nodes: u64, seconds: f64, context: &Context) -> String {
    format!("{} M", context.messages.decimal(nodes as f64 / seconds.max(1e-9) / 1e6, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_below_each_other() {
        let columns = Columns::new("jugada|nº", &[3, 4]);
        assert_eq!(columns.title(), "jugada    nº");
        assert_eq!(columns.row(&["f5".into(), "12".into(), "WRONG".into()]), "    f5    12  WRONG");
    }
}
