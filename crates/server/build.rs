//! Puts the page into the binary: every file of `web/dist`, and the compressed twins that the page's build has put beside it.
//!
//! Where the page has not been built, a page takes its place that says how to build it.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let dist = Path::new("../../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/page/missing.html");
    println!("cargo:rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    if dist.join("index.html").is_file() {
        find(dist, dist, &mut files);
    } else {
        let missing = fs::canonicalize("src/page/missing.html").expect("it is in the repository");
        files.push(("index.html".to_owned(), missing));
    }
    files.sort();
    let mut list = String::from("&[\n");
    for (name, path) in &files {
        if name.ends_with(".br") || name.ends_with(".gz") {
            continue;
        }
        let bytes = fs::read(path).expect("a file of the page can be read");
        let twin = |ending: &str| match files.iter().find(|(other, _)| *other == format!("{name}.{ending}")) {
            Some((_, path)) => format!("Some(include_bytes!({path:?}))"),
            None => "None".to_owned(),
        };
        list += &format!(
            "    Asset {{ name: {name:?}, etag: \"W/\\\"{:016x}\\\"\", plain: include_bytes!({path:?}), brotli: {}, gzip: {} }},\n",
            fingerprint(&bytes),
            twin("br"),
            twin("gz"),
        );
    }
    list += "]\n";
    fs::write(out.join("assets.rs"), list).expect("OUT_DIR can be written");
}

fn find(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).expect("web/dist can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            println!("cargo:rerun-if-changed={}", path.display());
            find(root, &path, files);
        } else if let Ok(name) = path.strip_prefix(root) {
            let path = fs::canonicalize(&path).expect("it is there");
            files.push((name.to_string_lossy().replace('\\', "/"), path));
        }
    }
}

/// FNV-1a: enough to tell one version of a file from another.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
