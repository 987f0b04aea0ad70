//! A link as a picture that a phone can read.

use axum::{
    extract::Query,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use qrcode::{Color, QrCode, types::QrError};
use serde::Deserialize;
use std::fmt::Write;

/// A link is never longer; a longer text would make a code that no phone reads from a screen.
const LONGEST: usize = 300;
/// The white border that readers need, in modules.
const QUIET: usize = 4;

#[derive(Debug, Deserialize)]
pub(crate) struct Choice {
    text: String,
}

/// `GET /api/qr.svg?text=…`
pub(crate) async fn picture(Query(choice): Query<Choice>) -> Response {
    match svg(&choice.text) {
        Some(svg) => {
            ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "no-store")], svg).into_response()
        }
        None => (StatusCode::BAD_REQUEST, "A QR code here holds 1 to 300 bytes.\n").into_response(),
    }
}

fn svg(text: &str) -> Option<String> {
    if text.is_empty() || text.len() > LONGEST { None } else { draw(text).ok() }
}

/// Dark modules as one path, a row's neighbours in one stroke.
fn draw(text: &str) -> Result<String, QrError> {
    let code = QrCode::new(text)?;
    let (width, colors) = (code.width(), code.to_colors());
    let mut path = String::new();
    for (y, row) in colors.chunks(width).enumerate() {
        let mut x = 0;
        while x < width {
            let run = row[x..].iter().take_while(|color| **color == Color::Dark).count();
            if run > 0 {
                let _ = write!(path, "M{} {}h{run}v1h-{run}z", x + QUIET, y + QUIET);
            }
            x += run.max(1);
        }
    }
    let side = width + 2 * QUIET;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dark_module_is_drawn_once() {
        let text = "http://192.168.1.20:8464/#/join/k7q2m9x4tb/v8zk3n5w1qrd";
        let svg = svg(text).unwrap();
        let drawn: usize =
            svg.split('M').skip(1).map(|run| run.split(['h', 'v']).nth(1).unwrap().parse::<usize>().unwrap()).sum();
        let dark = QrCode::new(text).unwrap().to_colors().into_iter().filter(|color| *color == Color::Dark).count();
        assert_eq!(drawn, dark);
        // The upper left finder pattern begins with seven dark modules, inside the border.
        assert!(svg.contains("M4 4h7v1h-7z"), "{svg}");
    }

    #[test]
    fn a_text_that_no_phone_could_read_is_refused() {
        assert_eq!(svg(""), None);
        assert_eq!(svg(&"x".repeat(LONGEST + 1)), None);
        assert!(svg(&"x".repeat(LONGEST)).is_some());
    }
}
