//! Puts the page into the binary: every file of `web/dist`, plain and compressed.
//!
//! Where the page has not been built, a page takes its place that says how to build it.

use std::{
    env, fs,
    io::Write,
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
        files.push(("index.html".to_owned(), PathBuf::from("src/page/missing.html")));
    }
    files.sort();
    let mut list = String::from("&[\n");
    for (index, (name, path)) in files.iter().enumerate() {
        println!("cargo:rerun-if-changed={}", path.display());
        let bytes = fs::read(path).expect("a file of the page can be read");
        let plain = out.join(format!("{index}.bin"));
        fs::write(&plain, &bytes).expect("OUT_DIR can be written");
        let packed = pack(&bytes);
        // What hardly shrinks is not worth unpacking.
        let gzip = if packed.len() * 10 < bytes.len() * 9 {
            let path = out.join(format!("{index}.gz"));
            fs::write(&path, packed).expect("OUT_DIR can be written");
            format!("Some(include_bytes!({path:?}))")
        } else {
            "None".to_owned()
        };
        list += &format!(
            "    Asset {{ name: {name:?}, etag: \"\\\"{:016x}\\\"\", bytes: include_bytes!({plain:?}), gzip: {gzip} }},\n",
            fingerprint(&bytes)
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

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory can be written")
}

/// FNV-1a: enough to tell one version of a file from another.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
