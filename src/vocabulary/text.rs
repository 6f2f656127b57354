//! Text in the two languages of the page.

use super::kinds::names;

names! {
    /// A language of the page.
    Lang {
        /// English.
        En = "en",
        /// Korean.
        Ko = "ko",
    }
}

/// One text in every language.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Text {
    /// English.
    pub en: String,
    /// Korean.
    pub ko: String,
}

impl Text {
    /// The text in `lang`.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Ko => &self.ko,
        }
    }
}
