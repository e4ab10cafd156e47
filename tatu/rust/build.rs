//! Compiles Tatu's C and assembly for the crate's target. A file that is not for the target is empty there.

use std::fs;
use std::path::{Path, PathBuf};

fn sources_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("Tatu's sources are in the package") {
        let path = entry.expect("a folder that can be read").path();
        if path.is_dir() {
            sources_below(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "c" || extension == "S")
        {
            found.push(path);
        }
    }
}

fn main() {
    let mut sources = Vec::new();
    sources_below(Path::new("src"), &mut sources);
    sources.sort();
    let mut build = cc::Build::new();
    build.include("src").flag_if_supported("-std=c99");
    // Each function has its own section: a program has only what it calls.
    build
        .flag_if_supported("-ffunction-sections")
        .flag_if_supported("-fdata-sections");
    build.files(&sources).compile("tatu");
    println!("cargo:rerun-if-changed=src");
}
