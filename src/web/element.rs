//! Elements made by functions.
//!
//! `html!` writes out more than half a kilobyte of code for each element, and each component costs two more. What
//! repeats is therefore built here, once: containers, buttons, lists to choose from, and text without listeners, which
//! is written as [`Markup`], from which `sketch` grows nodes, and costs one comparison where it did not change. A panel is a [`Part`]: drawn again only
//! when its inputs changed, by one component for all of them.

use std::any::Any;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, VTag};

use super::sketch::{escape, sketch};
use super::state::Action;
use super::{Dispatch, on};

/// The attributes of a container.
#[derive(Default)]
pub(crate) struct Attrs {
    class: AttrValue,
    id: Option<AttrValue>,
    label: Option<AttrValue>,
    role: Option<AttrValue>,
}

impl Attrs {
    /// A class, or several.
    pub(crate) fn class(class: impl Into<AttrValue>) -> Self {
        Self { class: class.into(), ..Self::default() }
    }

    /// An id.
    pub(crate) fn id(self, id: &'static str) -> Self {
        Self { id: Some(id.into()), ..self }
    }

    /// A name for screen readers.
    pub(crate) fn label(self, label: impl Into<AttrValue>) -> Self {
        Self { label: Some(label.into()), ..self }
    }

    /// A role.
    pub(crate) fn role(self, role: &'static str) -> Self {
        Self { role: Some(role.into()), ..self }
    }
}

/// A container.
pub(crate) fn container(name: &'static str, attrs: Attrs, children: Vec<Html>) -> Html {
    let Attrs { class, id, label, role } = attrs;
    let class = Some(class).filter(|class| !class.is_empty());
    let values = Box::new([class, id, label, role]);
    element(name, &["class", "id", "aria-label", "role"], values, children).into()
}

/// An element with any attributes: their names, and for each its value if it has one.
pub(crate) fn element(
    name: &'static str,
    keys: &'static [&'static str],
    values: Box<[Option<AttrValue>]>,
    children: Vec<Html>,
) -> VTag {
    let mut tag = VTag::new(name);
    let values = values.into_iter().map(|value| value.map(AttributeOrProperty::Attribute)).collect();
    tag.set_attributes(Attributes::Dynamic { keys, values });
    tag.add_children(children);
    tag
}

/// A container that has a class and nothing else.
pub(crate) fn div(class: impl Into<AttrValue>, children: Vec<Html>) -> Html {
    container("div", Attrs::class(class), children)
}

/// A button.
#[derive(Default)]
pub(crate) struct Button {
    /// Its classes.
    pub(crate) class: AttrValue,
    /// Its id.
    pub(crate) id: Option<AttrValue>,
    /// Its name for screen readers, where its content does not say it.
    pub(crate) label: Option<AttrValue>,
    /// Its name for those who point at it.
    pub(crate) title: Option<AttrValue>,
    /// Its role, if it is not just a button.
    pub(crate) role: Option<AttrValue>,
    /// What it opens.
    pub(crate) popup: Option<AttrValue>,
    /// Whether what it opens is open.
    pub(crate) expanded: Option<bool>,
    /// Whether it is pressed in, if it stays so.
    pub(crate) pressed: Option<bool>,
    /// As what it is the current one among its like.
    pub(crate) current: Option<AttrValue>,
    /// The language of its words, if it is another one.
    pub(crate) lang: Option<AttrValue>,
    /// Whether it cannot be pressed now.
    pub(crate) disabled: bool,
    /// Whether it gets the focus when its dialog opens.
    pub(crate) focus: bool,
}

impl Button {
    /// A button with a class.
    pub(crate) fn class(class: impl Into<AttrValue>) -> Self {
        Self { class: class.into(), ..Self::default() }
    }

    /// The button, which sends an action.
    pub(crate) fn sends(self, send: &Dispatch, action: Action, content: Html) -> Html {
        self.calls(send.reform(move |_: MouseEvent| action.clone()), content)
    }

    /// The button, which calls.
    pub(crate) fn calls(self, onclick: Callback<MouseEvent>, content: Html) -> Html {
        let Self { class, id, label, title, role, popup, expanded, pressed, current, lang, disabled, focus } = self;
        // Menus are walked by arrows.
        let tabindex = (role.as_deref() == Some("menuitem")).then_some("-1".into());
        let is = |on: bool| on.then_some(AttrValue::Static(""));
        let [expanded, pressed] = [expanded, pressed].map(|one| one.map(|on| flag(on).into()));
        let (class, disabled, focus) = (Some(class).filter(|class| !class.is_empty()), is(disabled), is(focus));
        let values =
            [class, id, label, title, role, tabindex, popup, expanded, pressed, current, lang, disabled, focus];
        let mut tag = element("button", BUTTON, Box::new(values), vec![content]);
        tag.add_listener(Rc::new(yew::html::onclick::Wrapper::new(onclick)));
        tag.into()
    }
}

const BUTTON: &[&str] = &[
    "class",
    "id",
    "aria-label",
    "title",
    "role",
    "tabindex",
    "aria-haspopup",
    "aria-expanded",
    "aria-pressed",
    "aria-current",
    "lang",
    "disabled",
    "autofocus",
];

/// A flag as attributes of accessibility say it.
pub(crate) const fn flag(on: bool) -> &'static str {
    if on { "true" } else { "false" }
}

/// A list to choose one of; `chosen` gets its place.
pub(crate) fn choice(
    attrs: Attrs,
    options: Vec<AttrValue>,
    selected: Option<usize>,
    send: &Dispatch,
    chosen: impl Fn(usize) -> Option<Action> + 'static,
) -> Html {
    let onchange = on(send, move |event: &Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        let place = usize::try_from(select.selected_index()).ok()?;
        if selected.is_none() {
            // Nothing of it lasts: the list falls back to its title.
            select.set_selected_index(0);
        }
        chosen(place)
    });
    let options = options.into_iter().enumerate();
    let options = options.map(|(ix, name)| {
        let selected = (selected == Some(ix)).then_some("".into());
        element("option", &["selected"], Box::new([selected]), vec![name.into()]).into()
    });
    let values = Box::new([Some(attrs.class), attrs.id, attrs.label]);
    let mut list = element("select", &["class", "id", "aria-label"], values, options.collect());
    list.add_listener(Rc::new(yew::html::onchange::Wrapper::new(onchange)));
    list.into()
}

/// A slider over whole numbers.
pub(crate) fn range(
    (min, max, step, value): (i64, i64, i64, i64),
    label: Option<AttrValue>,
    send: &Dispatch,
    moved: impl Fn(i64) -> Option<Action> + 'static,
) -> Html {
    let oninput = on(send, move |event: &InputEvent| {
        let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
        moved(input.value().parse().ok()?)
    });
    let [min, max, step, value] = [min, max, step, value].map(|number| Some(AttrValue::from(number.to_string())));
    let keys = &["class", "type", "min", "max", "step", "aria-label"];
    let values = Box::new([Some("range".into()), Some("range".into()), min, max, step, label]);
    let mut slider = element("input", keys, values, Vec::new());
    slider.set_value(value);
    slider.add_listener(Rc::new(yew::html::oninput::Wrapper::new(oninput)));
    slider.into()
}

/// Text and elements without listeners, written as text. Words are escaped; everything else is this program's own.
#[derive(Default)]
pub(crate) struct Markup(String);

impl Markup {
    /// An element with words in it.
    pub(crate) fn of(name: &str, class: &str, words: &str) -> Self {
        Self::default().tag(name, class, words)
    }

    /// Adds an element with words in it.
    pub(crate) fn tag(self, name: &str, class: &str, words: &str) -> Self {
        self.open(name, class).say(words).close(name)
    }

    /// Begins an element.
    pub(crate) fn open(mut self, name: &str, class: &str) -> Self {
        self.0.push('<');
        self.0.push_str(name);
        if !class.is_empty() {
            self.0.push_str(" class=\"");
            self.0.push_str(class);
            self.0.push('"');
        }
        self.0.push('>');
        self
    }

    /// Ends an element.
    pub(crate) fn close(mut self, name: &str) -> Self {
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
        self
    }

    /// Adds words, so that none can be taken for markup.
    pub(crate) fn say(mut self, words: &str) -> Self {
        escape(&mut self.0, words);
        self
    }

    /// Adds a drawing of this program's own.
    pub(crate) fn draw(mut self, drawing: &str) -> Self {
        self.0.push_str(drawing);
        self
    }

    /// As a node.
    pub(crate) fn html(self) -> Html {
        sketch(self.0.into())
    }
}

/// A part of the page: inputs that compare cheaply, and how they are drawn.
pub(crate) trait Part: PartialEq + 'static {
    /// The part as it is now.
    fn draw(&self) -> Html;
}

/// Puts a part into the page.
pub(crate) fn part(part: impl Part) -> Html {
    let part = Held(Rc::new(part));
    html! { <Lazy {part} /> }
}

/// A part of any kind.
trait AnyPart {
    fn draw(&self) -> Html;
    fn is(&self, other: &dyn AnyPart) -> bool;
    fn any(&self) -> &dyn Any;
}

impl<P: Part> AnyPart for P {
    fn draw(&self) -> Html {
        Part::draw(self)
    }

    fn is(&self, other: &dyn AnyPart) -> bool {
        other.any().downcast_ref::<P>() == Some(self)
    }

    fn any(&self) -> &dyn Any {
        self
    }
}

#[derive(Clone)]
struct Held(Rc<dyn AnyPart>);

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&*other.0)
    }
}

#[derive(Properties, PartialEq)]
struct LazyProps {
    part: Held,
}

#[component]
fn Lazy(props: &LazyProps) -> Html {
    props.part.0.draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_become_markup() {
        let markup = Markup::of("b", "num", "<script>&").draw("<i></i>");
        assert_eq!(markup.0, "<b class=\"num\">&lt;script&gt;&amp;</b><i></i>");
    }

    #[test]
    fn parts_of_different_kinds_are_never_the_same() {
        #[derive(PartialEq)]
        struct One(u8);
        #[derive(PartialEq)]
        struct Other(u8);
        impl Part for One {
            fn draw(&self) -> Html {
                Html::default()
            }
        }
        impl Part for Other {
            fn draw(&self) -> Html {
                Html::default()
            }
        }
        let held = |part: Rc<dyn AnyPart>| Held(part);
        assert!(held(Rc::new(One(1))) == held(Rc::new(One(1))));
        assert!(held(Rc::new(One(1))) != held(Rc::new(One(2))));
        assert!(held(Rc::new(One(1))) != held(Rc::new(Other(1))));
    }
}
