//! Generates HTML. All text from a set is added with [`Html::text`] or as an attribute, which are
//! both escaped.

use std::fmt::{Display, Write as _};

/// A piece of HTML.
#[derive(Debug, Default)]
pub(crate) struct Html(String);

/// Attributes of a tag, each with its value.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Html {
    /// Appends markup as it is.
    pub(crate) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends text.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        escape(text, &mut self.0);
        self
    }

    /// Appends a displayable value as text.
    pub(crate) fn show(&mut self, text: &dyn Display) -> &mut Self {
        self.text(&text.to_string())
    }

    /// Opens a tag.
    pub(crate) fn open(&mut self, tag: &str, attributes: Attributes<'_>) -> &mut Self {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            let _ = write!(self.0, " {name}=\"");
            escape(value, &mut self.0);
            self.0.push('"');
        }
        self.0.push('>');
        self
    }

    /// Closes a tag.
    pub(crate) fn close(&mut self, tag: &str) -> &mut Self {
        self.raw("</").raw(tag).raw(">")
    }

    /// Appends an element that contains only text.
    pub(crate) fn element(&mut self, tag: &str, class: &str, text: &str) -> &mut Self {
        match class {
            "" => self.open(tag, &[]),
            class => self.open(tag, &[("class", class)]),
        };
        self.text(text).close(tag)
    }

    /// Appends an element with the content that `inner` appends.
    pub(crate) fn within(&mut self, tag: &str, class: &str, inner: impl FnOnce(&mut Self)) {
        match class {
            "" => self.open(tag, &[]),
            class => self.open(tag, &[("class", class)]),
        };
        inner(self);
        self.close(tag);
    }

    /// Appends a link.
    pub(crate) fn link(&mut self, address: &str, text: &str) -> &mut Self {
        self.open("a", &[("href", address)]).text(text).close("a")
    }

    /// Begins a section of a page, with a heading that links to itself.
    pub(crate) fn section(&mut self, id: &str, title: &str) -> &mut Self {
        self.open("section", &[]).open("h2", &[("id", id)]);
        self.open("a", &[("class", "self"), ("href", &format!("#{id}"))]);
        self.text(title).raw("</a></h2>\n")
    }

    /// Ends a section.
    pub(crate) fn end_section(&mut self) {
        self.raw("</section>\n");
    }

    /// Begins a table in a box that scrolls if the table is wider than the screen. The column
    /// headings are plain text.
    pub(crate) fn table(&mut self, name: &str, heads: &[&str]) -> &mut Self {
        let box_of =
            [("class", "wide"), ("tabindex", "0"), ("role", "region"), ("aria-label", name)];
        self.open("div", &box_of).raw("<table><thead><tr>");
        for head in heads {
            self.open("th", &[("scope", "col")]).text(head).close("th");
        }
        self.raw("</tr></thead><tbody>\n")
    }

    /// Ends a table.
    pub(crate) fn end_table(&mut self) {
        self.raw("</tbody></table></div>\n");
    }

    /// Appends a cell of a table with the content that `inner` appends.
    pub(crate) fn cell(&mut self, class: &str, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.within("td", class, inner);
        self
    }

    /// Returns the HTML.
    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// Appends text with escaped special characters.
fn escape(text: &str, to: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        let (before, behind) = rest.split_at(at);
        to.push_str(before);
        to.push_str(match behind.as_bytes().first() {
            Some(b'&') => "&amp;",
            Some(b'<') => "&lt;",
            Some(b'>') => "&gt;",
            Some(b'"') => "&quot;",
            _ => "&#39;",
        });
        rest = behind.get(1..).unwrap_or_default();
    }
    // Control characters are not allowed in a page.
    to.extend(rest.chars().map(|c| match c {
        '\t' | '\n' => c,
        '\0'..' ' | '\u{7f}'..='\u{9f}' => '\u{fffd}',
        c => c,
    }));
}

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn signs_of_markup_are_escaped_in_text_and_attributes() {
        let mut html = Html::default();
        html.open("a", &[("title", "\"<&>'")]).text("<script>&'\"</script>").close("a");
        assert_eq!(
            html.finish(),
            "<a title=\"&quot;&lt;&amp;&gt;&#39;\">\
             &lt;script&gt;&amp;&#39;&quot;&lt;/script&gt;</a>"
        );
    }
}
