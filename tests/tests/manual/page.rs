//! A page as an HTML parser reads it, and checks of it.

use html5gum::{Token, Tokenizer};

/// Elements without an end tag.
const EMPTY: [&str; 5] = ["meta", "link", "br", "input", "rect"];

/// A page as its elements, in the order of their start tags.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) elements: Vec<Element>,
}

/// An element with all text inside it.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
    /// The index of the parent element. The first element contains its own index.
    pub(crate) parent: usize,
}

impl Element {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Page {
    /// Parses a page. Panics if the parser reports an error, if an element is not closed or is
    /// closed twice, or if two elements have the same id.
    pub(crate) fn read(file: &str, text: &str) -> Page {
        let (mut elements, mut open): (Vec<Element>, Vec<usize>) = (vec![], vec![]);
        for Ok(token) in Tokenizer::new(text) {
            match token {
                Token::StartTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    let attributes = tag.attributes.iter().map(|(name, value)| {
                        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                        (text(name), text(value))
                    });
                    let parent = open.last().copied().unwrap_or_default();
                    let is_empty = tag.self_closing || EMPTY.contains(&name.as_str());
                    let attributes = attributes.collect();
                    elements.push(Element { name, attributes, text: String::new(), parent });
                    if !is_empty {
                        open.push(elements.len() - 1);
                    }
                }
                Token::EndTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    let last = open.pop().map(|place| elements[place].name.clone());
                    assert_eq!(last.as_ref(), Some(&name), "{file}: </{name}>");
                }
                Token::String(text) => {
                    let text = String::from_utf8_lossy(&text);
                    open.iter().for_each(|&place| elements[place].text += &text);
                }
                Token::Error(error) => panic!("{file}: {error:?}"),
                Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        assert!(open.is_empty(), "{file}: {open:?}");
        let page = Page { elements };
        let mut ids: Vec<&str> = page.ids().collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{file}: an id stands twice");
        page
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().filter_map(|element| element.get("id"))
    }

    /// Returns the elements with this name.
    pub(crate) fn all<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p Element> {
        self.elements.iter().filter(move |element| element.name == name)
    }

    /// Returns the rows of the table with this name, as the texts of their cells.
    pub(crate) fn table(&self, name: &str) -> Vec<Vec<&str>> {
        let within = |mut place: usize| loop {
            let element = &self.elements[place];
            if element.get("aria-label") == Some(name) {
                return true;
            }
            if element.parent == place || place == 0 {
                return false;
            }
            place = element.parent;
        };
        let rows = self.elements.iter().enumerate();
        let rows = rows.filter(|(place, it)| it.name == "tr" && within(*place));
        let cells = |row: usize| {
            let all = self.elements.iter();
            let own = all.filter(|it| it.name == "td" && it.parent == row);
            own.map(|it| it.text.as_str()).collect::<Vec<_>>()
        };
        rows.map(|(row, _)| cells(row)).filter(|cells| !cells.is_empty()).collect()
    }
}
