//! Short names for what the page's script and its wasm hand to each other: wasm-bindgen's are long, and end in hashes that do
//! not compress.

use anyhow::{Result, ensure};
use std::collections::BTreeMap;
use walrus::Module;

/// Where wasm-bindgen's imports come from.
const SCRIPT: &str = "./page_bg.js";

/// Renames the imports of a module, and the exports that wasm-bindgen made for itself, there and in the script.
pub(crate) fn rename(module: &mut Module, script: &str) -> Result<String> {
    let is_own = |name: &str| name.starts_with("wasm_bindgen_") || name.starts_with("__");
    let imports = module.imports.iter().filter(|import| import.module == SCRIPT).map(|import| import.name.clone());
    let exports = module.exports.iter().filter(|export| is_own(&export.name)).map(|export| export.name.clone());
    let mut names: BTreeMap<String, String> = imports.chain(exports).map(|name| (name, String::new())).collect();
    for (short, at) in names.values_mut().zip(0..) {
        *short = letters(at);
    }
    let renamed = in_script(script, &names);
    ensure!(renamed.matches(SCRIPT).count() == 1, "the page's script does not name {SCRIPT} once");
    for import in module.imports.iter_mut().filter(|import| import.module == SCRIPT) {
        ensure!(script.contains(&import.name), "the page's script has no {}", import.name);
        import.name.clone_from(&names[&import.name]);
        "a".clone_into(&mut import.module);
    }
    for export in module.exports.iter_mut() {
        if let Some(short) = names.get(&export.name) {
            export.name.clone_from(short);
        }
    }
    Ok(renamed.replace(SCRIPT, "a"))
}

/// `$a`, `$b` … `$z`, `$ba`: no name of wasm-bindgen's looks so.
fn letters(mut at: u32) -> String {
    let mut name = String::new();
    loop {
        name.insert(0, char::from(b'a' + (at % 26) as u8));
        at /= 26;
        if at == 0 {
            name.insert(0, '$');
            return name;
        }
    }
}

/// Replaces whole words.
fn in_script(script: &str, names: &BTreeMap<String, String>) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut text = String::new();
    let mut left = script;
    while let Some(start) = left.find(is_part) {
        let word = left[start..].split(|c| !is_part(c)).next().unwrap_or_default();
        text.push_str(&left[..start]);
        text.push_str(names.get(word).map_or(word, String::as_str));
        left = &left[start + word.len()..];
    }
    text + left
}

#[cfg(test)]
mod tests {
    use super::{in_script, letters, rename};
    use std::collections::BTreeMap;
    use walrus::{Module, ValType};

    #[test]
    fn words_are_replaced_whole() {
        let names = BTreeMap::from([("__wbg_a".to_owned(), "$a".to_owned())]);
        assert_eq!(in_script("{__wbg_a:x.__wbg_a1,b:I.__wbg_a}", &names), "{$a:x.__wbg_a1,b:I.$a}");
        assert_eq!([0, 25, 26].map(letters), ["$a", "$z", "$ba"]);
    }

    #[test]
    fn the_module_and_the_script_agree() {
        let mut module = Module::default();
        let ty = module.types.add(&[ValType::I32], &[]);
        module.add_import_func("./page_bg.js", "__wbg_log_0123", ty);
        let script = "m={\"./page_bg.js\":{__wbg_log_0123:f}}";
        assert_eq!(rename(&mut module, script).ok().as_deref(), Some("m={\"a\":{$a:f}}"));
        assert_eq!(module.imports.iter().map(|import| import.name.as_str()).collect::<Vec<_>>(), ["$a"]);
        assert!(rename(&mut module, "nothing of the kind").is_err());
    }
}
