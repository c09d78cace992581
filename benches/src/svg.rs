//! The chart: nanoseconds a delta over bytes a delta, both axes logarithmic.

use std::fmt::Write as _;

use crate::measure::Samples;

/// One contender's points: bytes a delta and nanoseconds a delta.
pub(crate) struct Curve {
    name: &'static str,
    points: Vec<(f64, f64)>,
}

/// Adds one point a contender.
pub(crate) fn add(curves: &mut Vec<Curve>, bytes: usize, samples: &[Samples]) {
    for one in samples {
        let point = (bytes as f64, one.spread().median);
        match curves.iter_mut().find(|curve| curve.name == one.name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve { name: one.name, points: vec![point] }),
        }
    }
}

pub(crate) fn chart(curves: &[Curve]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">256 KiB write: ns a delta over bytes a delta</text>\n"
    );
    for bytes in [1.0, 4.0, 16.0, 64.0, 256.0, 4096.0] {
        let x = x(bytes);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{BOTTOM}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{bytes} B</text>",
            BOTTOM + 18.0
        );
    }
    for nanoseconds in [1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0] {
        let y = y(nanoseconds);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{nanoseconds} ns</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (i, curve) in curves.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let points: Vec<String> = curve.points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let legend = TOP + 18.0 * i as f64 + 14.0;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{legend:.1}\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            LEFT + 12.0,
            curve.name
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn x(bytes: f64) -> f64 {
    LEFT + (RIGHT - LEFT) * bytes.log10() / 4096f64.log10()
}

fn y(nanoseconds: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * nanoseconds.max(1.0).log10() / 5.0
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 400.0;
const COLOURS: [&str; 6] = ["#c0392b", "#7f8c8d", "#2980b9", "#16a085", "#8e44ad", "#d35400"];
