//! Nothing outside the folder has a path, by whatever name.

use std::os::unix::fs::symlink;

use super::*;

/// A folder with a file, and links out of it, beside a file that is none of its own.
fn folder() -> (tempfile::TempDir, Confined) {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir_all(at("own/inner")).unwrap();
    fs::create_dir(at("elsewhere")).unwrap();
    fs::write(at("own/inner/k.cl"), "").unwrap();
    fs::write(at("elsewhere/secret.cl"), "").unwrap();
    fs::write(at("secret.cl"), "").unwrap();
    symlink(at("secret.cl"), at("own/link.cl")).unwrap();
    symlink(at("elsewhere"), at("own/up")).unwrap();
    symlink(at("own/inner/k.cl"), at("own/near.cl")).unwrap();
    let confined = Confined::new(&at("own")).unwrap();
    (place, confined)
}

#[test]
fn names_and_links_that_lead_out_are_refused() {
    let (place, confined) = folder();
    let whole = place.path().canonicalize().unwrap();
    let outside = whole.join("secret.cl").display().to_string();
    let names =
        ["../secret.cl", "inner/../../secret.cl", "link.cl", "up/secret.cl", "up/../secret.cl", "..", "/", &outside];
    for name in names {
        let refusal = confined.path(name).unwrap_err();
        assert!(refusal.error.contains("lies outside the folder"), "{name}: {}", refusal.error);
    }
    for name in ["../nowhere.cl", "/nowhere/nothing.cl"] {
        assert!(confined.path(name).unwrap_err().error.contains("lies outside"), "{name} is not said to be missing");
    }
    assert!(confined.path("nowhere.cl").unwrap_err().error.contains("No such file"));
}

#[test]
fn a_path_inside_is_the_one_below_the_folder() {
    let (place, confined) = folder();
    let whole = place.path().canonicalize().unwrap().join("own/inner/k.cl").display().to_string();
    for name in ["inner/k.cl", "./inner/../inner/k.cl", "near.cl", &whole] {
        assert_eq!(confined.path(name).unwrap(), Path::new("inner/k.cl"), "{name}");
    }
    assert_eq!(confined.path(".").unwrap(), Path::new("."));
}

#[test]
fn texts_have_plain_names_and_go_with_their_last_call() {
    let (_place, confined) = folder();
    let texts = |name: &str| IndexMap::from([(name.to_owned(), "text".to_owned())]);
    for name in ["", "/k.cl", "../k.cl", "a/../k.cl", "./k.cl", "a/", "a\0b"] {
        assert!(confined.write(&texts(name)).is_err(), "{name:?}");
    }
    let first = confined.write(&texts("inner/k.cl")).unwrap();
    let second = confined.write(&texts("inner/k.cl")).unwrap();
    let path = first.path("inner/k.cl");
    assert_eq!((second.path("inner/k.cl"), fs::read_to_string(&path).unwrap()), (path.clone(), "text".to_owned()));
    assert_eq!(
        confined.hidden(&format!("in {} and {}", path.display(), first.path("").display())),
        "in inner/k.cl and "
    );
    drop(first);
    assert!(path.exists(), "the second call still uses it");
    drop(second);
    assert!(!path.exists());
    assert_eq!(confined.write(&texts("inner/k.cl")).unwrap().path("inner/k.cl"), path, "equal texts have equal paths");
}
