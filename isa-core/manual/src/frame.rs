//! The header and footer that all pages share.

use super::html::Html;
use super::site::Site;

/// A page that is being written.
pub(crate) struct Page {
    pub(crate) html: Html,
}

/// The pages to which every page links, with their titles.
const PAGES: [(&str, &str); 7] = [
    ("index.html", "Opcodes"),
    ("groups/index.html", "Groups"),
    ("kinds/index.html", "Values and operands"),
    ("language/index.html", "Language"),
    ("illegal/index.html", "Invalid words"),
    ("map/index.html", "Map"),
    ("try/index.html", "Try it"),
];

/// A script that applies the theme chosen on another page before the page is shown.
const THEME: &str = "<script>try{var t=localStorage.getItem('isa-theme');\
if(t)document.documentElement.dataset.theme=t}catch(e){}</script>\n";

impl Page {
    /// Begins the first page, or a page in a folder of the manual. `here` is the address of the page,
    /// and `title` is its name.
    pub(crate) fn begin(site: &Site<'_>, here: &str, title: &str) -> Page {
        let root = if here.contains('/') { "../" } else { "" };
        let mut html = Html::default();
        html.raw("<!DOCTYPE html>\n");
        html.open("html", &[("lang", &site.language), ("data-root", root)]).raw("\n<head>\n");
        html.raw("<meta charset=\"utf-8\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<title>");
        if title != site.set.name {
            html.text(title).raw(" · ");
        }
        html.text(site.set.name).raw("</title>\n");
        html.raw(THEME);
        html.raw("<link rel=\"stylesheet\" href=\"").raw(root).raw("assets/manual.css\">\n");
        html.raw("<script defer src=\"").raw(root).raw("assets/manual.js\"></script>\n");
        html.raw(
            "</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to content</a>\n<header>\n",
        );
        html.open("a", &[("class", "name"), ("href", &format!("{root}index.html"))]);
        html.text(site.set.name).close("a").raw("\n");
        html.raw("<nav aria-label=\"Manual\"><ul>");
        for (page, name) in PAGES {
            let address = format!("{root}{page}");
            html.raw("<li>");
            match page == here {
                true => html.open("a", &[("href", &address), ("aria-current", "page")]),
                false => html.open("a", &[("href", &address)]),
            };
            html.text(name).raw("</a></li>");
        }
        html.raw("</ul></nav>\n").raw(SEARCH).raw("</header>\n");
        html.raw("<main id=\"content\" tabindex=\"-1\">\n");
        Page { html }
    }

    /// Appends the title of the page, after a line with its category.
    pub(crate) fn title(&mut self, above: &str, title: &str) {
        if !above.is_empty() {
            self.html.element("p", "above", above);
        }
        self.html.element("h1", "", title).raw("\n");
    }

    /// Ends the page.
    pub(crate) fn finish(mut self, site: &Site<'_>) -> String {
        self.html.raw("</main>\n<footer><p>");
        self.html.text(site.set.name).raw(", written by <code>");
        self.html.text(&site.manual.made_by).raw("</code>.</p></footer>\n</body>\n</html>\n");
        self.html.finish()
    }
}

/// The search field and the switch between the light and dark theme, which the script activates.
const SEARCH: &str = "<div class=\"tools\" hidden>\
<div class=\"search\" role=\"search\"><input id=\"search\" type=\"search\" autocomplete=\"off\" \
spellcheck=\"false\" placeholder=\"Search (/)\" aria-label=\"Search mnemonics, fields, values and texts\" \
role=\"combobox\" aria-expanded=\"false\" aria-controls=\"found\" aria-autocomplete=\"list\">\
<div id=\"found\" role=\"listbox\" aria-label=\"Found\" hidden></div></div>\
<button id=\"theme\" type=\"button\" aria-label=\"Light or dark\" title=\"Light or dark\">◐</button></div>\n";
