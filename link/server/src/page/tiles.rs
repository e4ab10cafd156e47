//! Map tiles that the user puts into the site's folder: `tiles/ZOOM/X/Y.png` (or .jpg, .webp), in the numbering that
//! OpenStreetMap and others share, and whose they are in `tiles/attribution.txt`. Nothing is fetched from anywhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::extract::{Path as Parts, State};
use axum::http::{header, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

const KINDS: [(&str, &str); 3] = [("png", "image/png"), ("jpg", "image/jpeg"), ("webp", "image/webp")];
const DEEPEST: u8 = 22;
const LONGEST_ATTRIBUTION: usize = 300;

#[derive(Serialize)]
pub struct Tiles {
    #[serde(skip)]
    folder: PathBuf,
    /// The zooms that there are, least and most; none: there are no tiles.
    zooms: Option<(u8, u8)>,
    attribution: String,
}

impl Tiles {
    /// What the folder holds at the server's start.
    pub fn look(folder: &Path) -> Tiles {
        let names = fs::read_dir(folder).into_iter().flatten().flatten();
        let zooms: Vec<u8> = names
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|zoom| *zoom <= DEEPEST)
            .collect();
        let attribution = fs::read_to_string(folder.join("attribution.txt")).unwrap_or_default();
        Tiles {
            folder: folder.to_owned(),
            zooms: zooms.iter().min().copied().zip(zooms.iter().max().copied()),
            attribution: attribution.trim().chars().take(LONGEST_ATTRIBUTION).collect(),
        }
    }
}

/// The numbers are numbers: no path leads out of the folder.
pub async fn tile(State(tiles): State<Arc<Tiles>>, Parts((zoom, x, y)): Parts<(u8, u32, u32)>) -> Response {
    let found = tokio::task::spawn_blocking(move || {
        KINDS.iter().find_map(|(suffix, kind)| {
            let path = tiles.folder.join(format!("{zoom}/{x}/{y}.{suffix}"));
            Some((*kind, fs::read(path).ok()?))
        })
    });
    match found.await {
        Ok(Some((kind, bytes))) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
