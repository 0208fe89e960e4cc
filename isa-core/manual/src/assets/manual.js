// The interactive parts of the pages of a manual: search, light and dark mode, the map.
(function () {
  'use strict';
  var html = document.documentElement, root = html.dataset.root || '';
  function make(tag, options, parent) {
    var made = Object.assign(document.createElement(tag), options);
    if (parent) parent.append(made);
    return made;
  }
  function all(selector, from) { return Array.from((from || document).querySelectorAll(selector)); }

  // ---- light and dark mode
  document.querySelector('.tools').hidden = false;
  document.getElementById('theme').addEventListener('click', function () {
    var dark = html.dataset.theme ? html.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    html.dataset.theme = dark ? 'light' : 'dark';
    try { localStorage.setItem('isa-theme', html.dataset.theme); } catch (error) { /* without memory */ }
  });

  // ---- search
  var input = document.getElementById('search'), found = document.getElementById('found');
  var wanted = null, chosen = -1;
  // The index is a script, because a page that is opened from a disk cannot read files. It is loaded when needed.
  function index(then) {
    if (window.isaIndex) return then(window.isaIndex);
    wanted = then;
    if (index.asked) return;
    index.asked = true;
    var script = make('script', { src: root + 'assets/search.js' }, document.head);
    script.onload = function () { if (wanted) wanted(window.isaIndex); };
  }
  var sorts = { opcode: 0, spelling: 1, optype: 2, values: 3, operand: 3, value: 4, field: 5, group: 6 };
  // Returns an entry followed by the entries of its groups, whose descriptions also apply to it.
  function family(entry) {
    return [entry].concat((entry[5] || []).map(function (at) { return window.isaIndex[at]; }));
  }
  function place(entry, query) {
    if (entry.text === undefined) entry.text = entry[3].toLowerCase();
    return entry.text.indexOf(query);
  }
  // Returns 0 if the entry does not match. The best match is the whole name, then its start, a part of it, the
  // description, the description of a group.
  function score(entry, query) {
    var name = entry[0].toLowerCase(), mnemonic = entry[4].toLowerCase(), points = 0;
    if (mnemonic === query || name === query) points = 400;
    else if (name.startsWith(query) || mnemonic && mnemonic.startsWith(query)) points = 300;
    else if (name.includes(query) || mnemonic.includes(query)) points = 200;
    else {
      var at = family(entry).findIndex(function (it) { return place(it, query) >= 0; });
      if (at >= 0) points = at ? 60 : 100;
    }
    return points && points - (sorts[entry[1]] || 0) * 10 - Math.min(entry[0].length, 9);
  }
  function search(entries, text) {
    var words = text.toLowerCase().trim().split(/\s+/).filter(Boolean);
    if (!words.length) return [];
    var hits = [];
    entries.forEach(function (entry) {
      var sum = 0;
      for (var i = 0; i < words.length; i++) {
        var points = score(entry, words[i]);
        if (!points) return;
        sum += points;
      }
      hits.push([sum, entry]);
    });
    return hits.sort(function (a, b) { return b[0] - a[0]; }).map(function (hit) { return hit[1]; });
  }
  // Returns the part of a description that contains a word of the query, or else its beginning.
  function excerpt(entry, text) {
    var most = 120, before = 40, result = '', name = (entry[0] + ' ' + entry[4]).toLowerCase();
    var words = text.toLowerCase().trim().split(/\s+/).filter(function (word) { return !name.includes(word); });
    family(entry).reverse().forEach(function (it) { result = it[3].slice(0, most) || result; });
    family(entry).reverse().forEach(function (it) {
      words.forEach(function (word) {
        var at = place(it, word), start = Math.max(0, at - before);
        if (at >= 0) result = (start ? '…' : '') + it[3].slice(start, Math.max(start + most, at + word.length));
      });
    });
    return result;
  }
  window.isaSearch = function (text) { return search(window.isaIndex || [], text); };
  function choose(place) {
    var links = all('a', found);
    chosen = links.length ? (place + links.length) % links.length : -1;
    links.forEach(function (link, i) { link.setAttribute('aria-selected', String(i === chosen)); });
    if (chosen < 0) return input.removeAttribute('aria-activedescendant');
    input.setAttribute('aria-activedescendant', links[chosen].id);
    links[chosen].scrollIntoView({ block: 'nearest' });
  }
  function close() {
    found.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }
  function show() {
    var text = input.value;
    if (!text.trim()) return close();
    index(function (entries) {
      if (input.value !== text) return;
      var hits = search(entries, text), most = 40;
      found.textContent = '';
      hits.slice(0, most).forEach(function (entry, i) {
        var link = make('a', { href: root + entry[2], id: 'found-' + i, tabIndex: -1 }, found);
        link.setAttribute('role', 'option');
        make('b', { textContent: entry[0] }, link);
        make('i', { textContent: entry[1] }, link);
        var description = excerpt(entry, text);
        if (description) make('small', { textContent: description }, link);
      });
      if (!hits.length) {
        var none = make('p', { textContent: 'Nothing found' }, found);
        none.setAttribute('role', 'option');
        none.setAttribute('aria-disabled', 'true');
      }
      found.hidden = false;
      input.setAttribute('aria-expanded', 'true');
      choose(0);
    });
  }
  input.addEventListener('input', show);
  input.addEventListener('focus', function () { index(function () {}); show(); });
  input.addEventListener('keydown', function (event) {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && !found.hidden && chosen >= 0) all('a', found)[chosen].click();
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', function (event) {
    var link = event.target.closest('#found a');
    if (link || !event.target.closest('.search')) close();
  });
  document.addEventListener('keydown', function (event) {
    var typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    var turn = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
    if (event.key === '/') { event.preventDefault(); input.focus(); input.select(); }
    else if (turn && !event.target.closest('.wide, pre, .plane')) {
      var link = document.querySelector('.turn a[rel=' + turn + ']');
      if (link) link.click();
    }
  });
  var asked = new URLSearchParams(location.search).get('q');
  if (asked) { input.value = asked; input.focus(); show(); }

  // ---- a field in the picture and in the table
  all('article').forEach(function (article) {
    function light(event, on) {
      var of = event.target.closest && event.target.closest('[data-field]');
      if (!of || of.dataset.field === '') return;
      var section = of.closest('section');
      all('[data-field="' + of.dataset.field + '"]', section).forEach(function (it) { it.classList.toggle('lit', on); });
    }
    article.addEventListener('mouseover', function (event) { light(event, true); });
    article.addEventListener('mouseout', function (event) { light(event, false); });
  });
  // Decodes the percent signs of an address. If the address is invalid, returns it unchanged.
  function decoded(text) {
    try { return decodeURIComponent(text); } catch (error) { return text; }
  }
  // Opens the folded elements that contain the target of the address, and scrolls to the target.
  function unfold() {
    var target = location.hash && document.getElementById(decoded(location.hash.slice(1)));
    for (var it = target; it; it = it.parentElement) if (it.tagName === 'DETAILS') it.open = true;
    if (target) target.scrollIntoView({ block: 'center' });
    return target;
  }

  // ---- the filter of the patterns that are free for new instructions
  all('.ask').forEach(function (ask) {
    var number = ask.querySelector('input'), out = ask.querySelector('output');
    var rows = all('tr[data-free]', ask.closest('section'));
    function filter() {
      var least = Number(number.value) || 0, count = 0;
      rows.forEach(function (row) {
        row.hidden = Number(row.dataset.free) < least;
        if (!row.hidden) count++;
      });
      out.textContent = count + (count === 1 ? ' pattern' : ' patterns');
    }
    number.addEventListener('input', filter);
    ask.hidden = false;
    filter();
  });

  // ---- the filters of opcodes by their properties
  all('.filters').forEach(function (filters) {
    var lists = all('select', filters), out = filters.querySelector('output'), rows = all('tr[data-properties]');
    function filter() {
      var count = 0;
      rows.forEach(function (row) {
        var own = row.dataset.properties.split(' ');
        row.hidden = lists.some(function (list) { return list.value && !own.includes(list.name + '=' + list.value); });
        if (!row.hidden) count++;
      });
      all('.family').forEach(function (family) {
        family.hidden = !all('tr[data-properties]', family).some(function (row) { return !row.hidden; });
      });
      out.textContent = count + (count === 1 ? ' opcode' : ' opcodes');
    }
    filters.addEventListener('change', filter);
    filters.hidden = false;
    filter();
  });

  // ---- the map, which displays one node of the tree of lists at a time, as areas
  function node(item, parent) {
    var own = item.querySelector(':scope > details > summary') || item;
    function text(name) {
      var part = own.querySelector(':scope > .' + name);
      return part ? part.textContent : '';
    }
    var made = {
      item: item, parent: parent, sort: item.className, label: text('label'), owner: text('owner'), size: text('size'), by: text('by'),
      log: Number(item.dataset.log), share: Number(item.dataset.share), link: item.querySelector(':scope > a')
    };
    made.parts = all(':scope > details > ul > li', item).map(function (part) { return node(part, made); });
    return made;
  }
  // Divides a box into areas with these sizes, which are as square as possible.
  function squares(sizes, box) {
    var places = [], at = 0, total = sizes.reduce(function (a, b) { return a + b; }, 0), area = box.w * box.h / total;
    while (at < sizes.length) {
      var side = Math.min(box.w, box.h), sum = 0, best = Infinity, end = at;
      while (end < sizes.length) {
        var next = sum + sizes[end] * area;
        var thick = next / side, worst = 0;
        for (var i = at; i <= end; i++) {
          var long = sizes[i] * area / thick;
          worst = Math.max(worst, long / thick, thick / long);
        }
        if (worst > best) break;
        best = worst; sum = next; end++;
      }
      var depth = sum / side, offset = 0;
      for (var j = at; j < end; j++) {
        var length = sizes[j] * area / depth;
        places.push(box.w < box.h ? { x: box.x + offset, y: box.y, w: length, h: depth } : { x: box.x, y: box.y + offset, w: depth, h: length });
        offset += length;
      }
      box = box.w < box.h ? { x: box.x, y: box.y + depth, w: box.w, h: box.h - depth } : { x: box.x + depth, y: box.y, w: box.w - depth, h: box.h };
      at = end;
    }
    return places;
  }
  all('.treemap').forEach(function (map) {
    var tree = document.getElementById(map.dataset.tree), top = node(tree.querySelector('li'), null), here = top;
    if (!top.parts.length) return;
    for (var inner = top; inner; inner = inner.parts.find(function (part) { return part.item.dataset.start; })) here = inner;
    map.hidden = false;
    var crumbs = make('div', { className: 'crumbs' }, map), plane = make('div', { className: 'plane' }, map);
    var exact = make('input', { type: 'checkbox' }), marked = null;
    exact.addEventListener('change', draw);
    function title(it) { return it.owner || it.label || 'all words'; }
    function draw() {
      crumbs.textContent = plane.textContent = '';
      var path = [];
      for (var it = here; it; it = it.parent) path.unshift(it);
      path.forEach(function (it, i) {
        if (i) make('span', { textContent: '›' }, crumbs);
        if (it === here) make('strong', { textContent: title(it) + ', ' + it.size + ' words' + (it.by ? ', ' + it.by : '') }, crumbs);
        else make('button', { type: 'button', textContent: title(it), onclick: function () { go(it); } }, crumbs);
      });
      var label = make('label', { textContent: ' areas in true proportion' }, crumbs);
      label.prepend(exact);
      var least = Math.min.apply(null, here.parts.map(function (part) { return part.log; }));
      var parts = here.parts.slice().sort(function (a, b) { return b.log - a.log; });
      var sizes = parts.map(function (part) { return exact.checked ? Math.max(part.share, 1e-12) : 2 + part.log - least; });
      squares(sizes, { x: 0, y: 0, w: 100, h: 100 * plane.clientHeight / plane.clientWidth }).forEach(function (box, i) {
        var part = parts[i], height = 100 * plane.clientHeight / plane.clientWidth;
        var cell = make(part.parts.length ? 'button' : part.link ? 'a' : 'div', { className: part.sort }, plane);
        if (part.parts.length) { cell.type = 'button'; cell.onclick = function () { go(part, true); }; }
        else if (part.link) cell.href = part.link.href;
        if (part === marked) cell.classList.add('here');
        cell.style.cssText = 'left:' + box.x + '%;top:' + box.y / height * 100 + '%;width:' + box.w + '%;height:' + box.h / height * 100 + '%';
        var names = part.parts.length ? inside(part) : '';
        cell.title = [part.owner, part.label, part.size + ' words', names].filter(Boolean).join('\n');
        make('b', { textContent: part.owner || part.label }, cell);
        if (part.owner && part.label) make('small', { textContent: part.label }, cell);
        make('small', { textContent: part.size }, cell);
        if (names) make('small', { textContent: names }, cell);
      });
    }
    function inside(it) {
      var names = all('a', it.item).map(function (link) { return link.textContent; });
      return names.slice(0, 6).join(', ') + (names.length > 6 ? ' and ' + (names.length - 6) + ' more' : '');
    }
    function go(it, focus) {
      here = it;
      draw();
      if (focus) { var first = plane.querySelector('a, button'); if (first) first.focus(); }
    }
    map.addEventListener('keydown', function (event) {
      if ((event.key === 'Escape' || event.key === 'Backspace') && here.parent) { event.preventDefault(); go(here.parent, true); }
    });
    function lead(target) {
      var item = target && target.closest('li');
      if (!item || !tree.contains(item)) return;
      (function seek(it) {
        if (it.item === item) { marked = it; here = it.parent || it; }
        it.parts.forEach(seek);
      })(top);
      go(here);
      map.scrollIntoView({ block: 'center' });
    }
    draw();
    lead(unfold());
    // After loading, the browser scrolls to the anchor in the tree, so scroll to the map afterwards.
    addEventListener('load', function () { if (marked) setTimeout(function () { map.scrollIntoView({ block: 'center' }); }, 0); });
    addEventListener('hashchange', function () { lead(unfold()); });
    addEventListener('resize', draw);
  });
  if (!document.querySelector('.treemap')) { unfold(); addEventListener('hashchange', unfold); }
})();
