//! Reduces specifications to smaller ones that fail in the same way.

use crate::spec::{Init, Line, Node, Piece, Spec};

/// Returns a specification that still `fails` and from which nothing more can be removed.
#[must_use]
pub fn shrink(spec: &Spec, fails: &dyn Fn(&Spec) -> bool) -> Spec {
    let mut spec = spec.clone();
    while let Some(smaller) = smaller(&spec).into_iter().find(|smaller| fails(smaller)) {
        spec = smaller;
    }
    spec
}

/// Returns all specifications with one item less.
pub(crate) fn smaller(spec: &Spec) -> Vec<Spec> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Spec)| {
        let mut copy = spec.clone();
        change(&mut copy);
        all.push(copy);
    };
    with(&|spec| spec.views.clear());
    for at in 0..spec.aliases.len() {
        with(&|spec| {
            let gone = spec.aliases.remove(at).node.name;
            forget(spec, &gone);
        });
    }
    for at in 0..spec.opcodes.len() {
        let name = &spec.opcodes[at].name;
        if spec.aliases.iter().all(|alias| alias.of != *name) {
            with(&|spec| {
                let gone = spec.opcodes.remove(at).name;
                spec.opcodes.iter_mut().for_each(|opcode| opcode.inside.retain(|n| *n != gone));
                forget(spec, &gone);
            });
        }
    }
    for at in 0..count(spec) {
        let node = node(&mut spec.clone(), at).clone();
        for line in 0..node.lines.len() {
            with(&|spec| drop(self::node(spec, at).lines.remove(line)));
            with(&|spec| {
                let (Line::Declare(crate::spec::Field { init, .. }) | Line::Refine(_, init)) =
                    &mut self::node(spec, at).lines[line];
                if matches!(init, Init::Default(_) | Init::Never(_)) {
                    *init = Init::Required;
                }
            });
        }
        if !node.exceptions.is_empty() {
            with(&|spec| self::node(spec, at).exceptions.clear());
        }
        if !node.wheres.is_empty() {
            with(&|spec| self::node(spec, at).wheres.clear());
        }
        if !node.inside.is_empty() {
            with(&|spec| self::node(spec, at).inside.clear());
        }
        if !node.ignored.is_empty() {
            with(&|spec| {
                let node = self::node(spec, at);
                let gone = std::mem::take(&mut node.ignored);
                node.lines.retain(
                    |line| !matches!(line, Line::Declare(field) if gone.contains(&field.name)),
                );
            });
        }
        for name in 0..node.after.len() {
            with(&|spec| drop(self::node(spec, at).after.remove(name)));
        }
        if !node.parents.is_empty() {
            with(&|spec| self::node(spec, at).parents.clear());
        }
        for template in node.template.iter().flat_map(|template| without_one(template)) {
            with(&|spec| self::node(spec, at).template = Some(template.clone()));
        }
    }
    let before = format!("{spec:?}");
    all.retain(|copy| format!("{copy:?}") != before);
    all
}

/// Removes a name from the lists of rows that are parsed first.
fn forget(spec: &mut Spec, gone: &str) {
    for at in 0..count(spec) {
        node(spec, at).after.retain(|name| name != gone);
    }
}

fn count(spec: &Spec) -> usize {
    spec.groups.len() + spec.opcodes.len() + spec.aliases.len()
}

fn node(spec: &mut Spec, at: usize) -> &mut Node {
    let (groups, opcodes) = (spec.groups.len(), spec.opcodes.len());
    match at {
        at if at < groups => &mut spec.groups[at],
        at if at < groups + opcodes => &mut spec.opcodes[at - groups],
        at => &mut spec.aliases[at - groups - opcodes].node,
    }
}

/// Returns all templates with one piece less.
fn without_one(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let mut all = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let mut with = |new: Vec<Piece>| {
            let mut copy = pieces.to_vec();
            copy.splice(at..=at, new);
            all.push(copy);
        };
        match piece {
            Piece::Mnemonic(_) | Piece::Rest => {}
            Piece::Text(text) if text == ";" => {}
            Piece::Part(inner) => {
                with(Vec::new());
                with(inner.clone());
                without_one(inner).into_iter().for_each(|inner| with(vec![Piece::Part(inner)]));
            }
            Piece::Slot { name, marks, dots } => {
                with(Vec::new());
                for mark in 0..marks.len() {
                    let (mut marks, name, dots) = (marks.clone(), name.clone(), dots.clone());
                    marks.remove(mark);
                    with(vec![Piece::Slot { name, marks, dots }]);
                }
                for dot in 0..dots.len() {
                    let (mut dots, name, marks) = (dots.clone(), name.clone(), marks.clone());
                    dots.remove(dot);
                    with(vec![Piece::Slot { name, marks, dots }]);
                }
            }
            Piece::Text(_) | Piece::Dot { .. } | Piece::Tag(_) => with(Vec::new()),
        }
    }
    all.retain(|template| !template.is_empty());
    all
}
