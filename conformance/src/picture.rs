//! The matrix as a picture, for light and dark pages.

use std::fmt::Write;

use crate::level::Level;
use crate::results::{Row, cell};

/// The SVG of all subjects that were run.
pub fn picture(rows: &[Row]) -> String {
    let rows: Vec<_> = rows.iter().filter_map(|row| row.report.as_ref().ok().map(|report| (row, report))).collect();
    let width = NAME + Level::ALL.len() * COLUMN + MARGIN;
    let height = TOP + rows.len() * LINE + FOOT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"Cases right of cases asked, by subject and level\">\n{STYLE}\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>\n"
    );
    for (column, level) in Level::ALL.into_iter().enumerate() {
        let x = NAME + column * COLUMN + (COLUMN - GAP) / 2;
        // Writing to a String cannot fail.
        let _ = writeln!(svg, "<text class=\"head\" x=\"{x}\" y=\"{}\">{level}</text>", TOP - 12);
    }
    for (line, (row, report)) in rows.iter().enumerate() {
        let y = TOP + line * LINE;
        let (name, version) = (escaped(&row.peer.name), escaped(&report.hello.version));
        let _ = writeln!(
            svg,
            "<text class=\"name\" x=\"{MARGIN}\" y=\"{}\">{name} <tspan class=\"minor\">{version} · {}</tspan></text>",
            y + BASE,
            escaped(&row.peer.language)
        );
        for (column, level) in Level::ALL.into_iter().enumerate() {
            draw_cell(&mut svg, NAME + column * COLUMN, y, cell(report, level));
        }
    }
    let _ = write!(
        svg,
        "<text class=\"minor\" x=\"{MARGIN}\" y=\"{}\">Cases right of cases asked. Full and green: all of them. Orange: \
         the part that is right. A dash: not promised, so not asked.</text>\n</svg>\n",
        height - 14
    );
    svg
}

fn draw_cell(svg: &mut String, x: usize, y: usize, cell: Option<(usize, usize)>) {
    let (width, height) = (COLUMN - GAP, LINE - GAP);
    let (middle, base) = (x + width / 2, y + BASE);
    // Writing to a String cannot fail.
    let _ = match cell {
        None => writeln!(svg, "<text class=\"none\" x=\"{middle}\" y=\"{base}\">–</text>"),
        Some((passed, asked)) => {
            let class = if passed == asked { "all" } else { "some" };
            let part = width * passed / asked;
            writeln!(
                svg,
                "<rect class=\"rest\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>\
                 <rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{part}\" height=\"{height}\" rx=\"3\"/>\
                 <text class=\"figure\" x=\"{middle}\" y=\"{base}\">{passed}/{asked}</text>"
            )
        }
    };
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const STYLE: &str = "<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.page { fill: #ffffff }
.head { font-weight: 600; text-anchor: middle }
.minor { font-size: 11px; fill: #59636e }
.figure, .none { text-anchor: middle; font-size: 12px }
.rest { fill: #eff1f3 }
.all { fill: #a5dfb0 }
.some { fill: #f5c78e }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.page { fill: #0d1117 }
.minor { fill: #9198a1 }
.rest { fill: #21262d }
.all { fill: #1c6b34 }
.some { fill: #8a5310 }
}
</style>";

const MARGIN: usize = 16;
/// The column of names.
const NAME: usize = 350;
const COLUMN: usize = 86;
const TOP: usize = 44;
const LINE: usize = 26;
const FOOT: usize = 44;
/// Between cells.
const GAP: usize = 4;
/// From the top of a line to the foot of its letters.
const BASE: usize = 15;
