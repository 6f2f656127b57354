//! Grows nodes from the text that a pen ([`Pen`](super::stage::pen::Pen), [`Markup`](super::element::Markup)) wrote.
//!
//! The browser never parses this text: elements and attributes are made one by one, and words become text nodes, so
//! nothing that a scenario file says can turn into markup. Only the tags and attributes named here can be made.

use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, VTag, VText};

/// What a sketch is grown from. Equal text costs one comparison.
#[derive(Properties, Clone, PartialEq)]
struct SketchProps {
    text: AttrValue,
}

/// The text as nodes.
pub(crate) fn sketch(text: AttrValue) -> Html {
    html! { <Sketch {text} /> }
}

#[component]
fn Sketch(props: &SketchProps) -> Html {
    let mut rest = props.text.as_str();
    grow(&mut rest).into_iter().collect()
}

/// Elements that the pens use. What is not among them was never written by one.
const ELEMENTS: &[&str] = &[
    "g", "rect", "circle", "path", "line", "text", "tspan", "defs", "pattern", "svg", "b", "dd", "div", "dl", "dt",
    "h1", "h2", "h3", "i", "kbd", "p", "small", "span",
];

/// Attributes that the pens use. All elements share the list, so that two versions of one are compared place by place.
const ATTRIBUTES: &[&str] = &[
    "class",
    "x",
    "y",
    "width",
    "height",
    "rx",
    "cx",
    "cy",
    "r",
    "d",
    "dx",
    "x1",
    "x2",
    "y1",
    "y2",
    "transform",
    "stroke-dasharray",
    "id",
    "patternUnits",
    "patternTransform",
    "viewBox",
    "aria-hidden",
    "overflow",
    "text-anchor",
];

/// The nodes up to the end of the element that they stand in.
fn grow(rest: &mut &str) -> Vec<Html> {
    let mut nodes = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("</") {
            *rest = after.split_once('>').map_or("", |(_, after)| after);
            break;
        }
        if let Some(inside) = rest.strip_prefix('<') {
            *rest = inside;
            nodes.extend(element(rest));
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            nodes.push(VText::new(plain(&rest[..end])).into());
            *rest = &rest[end..];
        }
    }
    nodes
}

/// An element, from behind its first bracket.
fn element(rest: &mut &str) -> Option<Html> {
    let end = rest.find(['>', ' ', '/'])?;
    let name = ELEMENTS.iter().find(|one| **one == &rest[..end]);
    *rest = &rest[end..];
    let mut values = vec![None; ATTRIBUTES.len()];
    let mut children = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>") {
            *rest = after;
            break;
        }
        if let Some(after) = rest.strip_prefix('>') {
            *rest = after;
            children = grow(rest);
            break;
        }
        let (key, after) = rest.split_once('=')?;
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        if let Some(place) = ATTRIBUTES.iter().position(|one| *one == key) {
            values[place] = Some(AttributeOrProperty::Attribute(value.to_owned().into()));
        }
        *rest = after;
    }
    let mut tag = VTag::new(*name?);
    tag.set_attributes(Attributes::Dynamic { keys: ATTRIBUTES, values: values.into() });
    tag.add_children(children);
    Some(tag.into())
}

/// Adds words to a text, so that none of them can be taken for an element.
pub(crate) fn escape(text: &mut String, words: &str) {
    for c in words.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            _ => text.push(c),
        }
    }
}

/// Words as they were before they were escaped.
fn plain(words: &str) -> String {
    words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &'static str, attributes: &[(&str, &'static str)], children: Vec<Html>) -> Html {
        let value =
            |key: &&str| attributes.iter().find(|(one, _)| one == key).map(|(_, value)| AttrValue::from(*value));
        let values = ATTRIBUTES.iter().map(|key| value(key).map(AttributeOrProperty::Attribute)).collect();
        let mut tag = VTag::new(name);
        tag.set_attributes(Attributes::Dynamic { keys: ATTRIBUTES, values });
        tag.add_children(children);
        tag.into()
    }

    #[test]
    fn elements_attributes_and_words_come_back() {
        let mut rest = "<g class=\"a\"><rect x=\"1\" y=\"2\"/><text>1 &lt; 2 &amp;amp;</text></g><path d=\"M0 0\"/>";
        let nodes = grow(&mut rest);
        let words = made("text", &[], vec![VText::new("1 < 2 &amp;").into()]);
        let group = made("g", &[("class", "a")], vec![made("rect", &[("x", "1"), ("y", "2")], Vec::new()), words]);
        assert!(rest.is_empty() && nodes == [group, made("path", &[("d", "M0 0")], Vec::new())]);
    }

    #[test]
    fn what_no_pen_writes_is_not_made() {
        let mut rest = "<script>alert(1)</script><rect onload=\"x\" x=\"1\"/>";
        let nodes = grow(&mut rest);
        assert!(nodes == [made("rect", &[("x", "1")], Vec::new())]);
    }

    #[test]
    fn broken_text_ends() {
        for text in ["<", "<g", "<g class", "<g class=\"", "</", "a<b", "<g><g>"] {
            let mut rest = text;
            grow(&mut rest);
        }
    }
}
