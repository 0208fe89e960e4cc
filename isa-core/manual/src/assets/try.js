// The page `Try it`. The engine, a WebAssembly module, describes and executes the instructions; this script sends
// requests to it and displays the answers.
(function () {
  'use strict';
  var wait = document.getElementById('try-wait'), page = document.getElementById('try');
  function element(name) { return document.getElementById('try-' + name); }
  var text = element('text'), word = element('word'), state = element('state'), bits = element('bits');
  var pages = JSON.parse(element('pages').textContent);
  function make(tag, options, parent) {
    var made = Object.assign(document.createElement(tag), options);
    if (parent) parent.append(made);
    return made;
  }

  // ---- the engine
  var engine = null, encoder = new TextEncoder(), decoder = new TextDecoder();
  // Sends a request to the engine and returns its answer. Both are text.
  function ask(request) {
    var bytes = encoder.encode(request), call = engine.isa_engine;
    var room = call(0, bytes.length) >>> 0;
    new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes);
    var length = call(1, 0) >>> 0, at = call(2, 0) >>> 0;
    return decoder.decode(new Uint8Array(engine.memory.buffer, at, length));
  }
  function asked(request) { return JSON.parse(ask(request)); }
  function load() {
    if (!window.WebAssembly || !window.isaModule) throw new Error('the browser does not support WebAssembly, or a file of the manual is missing');
    return WebAssembly.instantiate(Uint8Array.fromBase64 ? Uint8Array.fromBase64(window.isaModule) : decoded(window.isaModule), {});
  }
  // Browsers from before 2025 have no built-in function for this.
  function decoded(text) {
    var digits = atob(text), bytes = new Uint8Array(digits.length);
    for (var i = 0; i < digits.length; i++) bytes[i] = digits.charCodeAt(i);
    return bytes;
  }

  // ---- the displayed words
  // The words of the text, their statements, and the index of the selected word.
  var words = [], statements = [], here = 0, described = null, steps = 10000;
  function texts(list) { return list.length ? ask('disassemble\n' + list.join(' ')).trimEnd().split('\n') : []; }
  // Returns text that assembles to the words: lines of the disassembler without comments.
  function written(list) { return texts(list).map(function (line) { return line.split(' // ')[0]; }).join(' '); }

  function assemble() {
    var answer = asked('assemble\n' + text.value), errors = element('errors');
    errors.textContent = '';
    text.rows = Math.min(12, Math.max(2, text.value.split('\n').length));
    text.setAttribute('aria-invalid', String(Boolean(answer.errors)));
    (answer.errors || []).forEach(function (error) {
      var line = make('p', {}, errors);
      make('button', { type: 'button', textContent: error.line + ':' + error.column, title: 'Go there', onclick: function () {
        text.focus();
        text.setSelectionRange(error.start, error.end);
      } }, line);
      line.append(' ' + error.title + (error.help ? '; ' + error.help : ''));
    });
    if (answer.errors) return false;
    statements = answer.statements;
    words = [];
    statements.forEach(function (statement) {
      statement.words.forEach(function (digits, at) { words.push({ digits: digits, statement: statement, at: at }); });
    });
    here = Math.max(0, Math.min(here, words.length - 1));
    return true;
  }
  function table(parent, name, heads) {
    var box = make('div', { className: 'wide', tabIndex: 0 }, parent);
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', name);
    var made = make('table', {}, box), head = make('tr', {}, make('thead', {}, made));
    heads.forEach(function (title) { make('th', { scope: 'col', textContent: title }, head); });
    return make('tbody', {}, made);
  }
  function row(parent, cells, classes) {
    var made = make('tr', {}, parent);
    cells.forEach(function (cell, i) {
      var td = make('td', { className: classes && classes[i] || '' }, made);
      td.append(cell);
    });
    return made;
  }
  // If there are several statements, displays each as a button that selects it.
  function listing() {
    var list = element('lines');
    list.textContent = '';
    if (words.length < 2) return;
    var body = table(list, 'Words', ['word', 'text']), lines = texts(words.map(function (it) { return it.digits; }));
    words.forEach(function (it, i) {
      var button = make('button', { type: 'button', className: 'pick', textContent: it.digits, onclick: function () { here = i; show(); } });
      button.setAttribute('aria-pressed', String(i === here));
      var made = row(body, [button, make('code', { textContent: lines[i] })], ['number', '']);
      if (i === here) made.className = 'lit';
    });
  }

  // ---- the bits
  var narrow = matchMedia('(max-width: 46rem)'), focused = null;
  function fieldOf(part) { return part.field === null ? '' : part.field; }
  function colours(parts) {
    var stems = [];
    return parts.map(function (part) {
      if (part.field === null) return 'unused';
      if (part.fixed_by !== null) return 'fixed';
      var stem = part.field.split('.')[0];
      if (stems.indexOf(stem) < 0) stems.push(stem);
      return 'c' + stems.indexOf(stem) % 10;
    });
  }
  function draw(width, number, explained) {
    var parts = explained.parts.filter(function (part) { return part.high !== null && part.high < width; });
    if (!parts.length) parts = [{ high: width - 1, low: 0, field: null, fixed_by: null, legal: true, value: null, meaning: null }];
    var classes = colours(parts), columns = Math.min(width, narrow.matches ? 16 : 32);
    var kept = bits.contains(document.activeElement);
    bits.textContent = '';
    bits.style.setProperty('--columns', columns);
    parts.forEach(function (part, at) {
      for (var high = part.high; high >= part.low;) {
        var low = Math.max(part.low, Math.floor(high / columns) * columns);
        segment(part, classes[at], high, low, number);
        high = low - 1;
      }
    });
    var all = bits.querySelectorAll('button');
    var first = Array.from(all).find(function (button) { return button.dataset.bit === String(focused); }) || all[0];
    if (first) { first.tabIndex = 0; if (kept) first.focus(); }
  }
  function segment(part, colour, high, low, number) {
    var made = make('div', { className: 'piece ' + colour + (part.legal ? '' : ' bad') }, bits);
    made.dataset.field = fieldOf(part);
    made.style.gridColumn = 'span ' + (high - low + 1);
    made.title = (part.field || 'unused') + (part.meaning ? ' = ' + part.meaning : '') + (part.legal ? '' : ': invalid');
    var ends = make('div', { className: 'ends', ariaHidden: 'true' }, made), row = make('div', { className: 'row' }, made);
    make('span', { textContent: high }, ends);
    if (high > low) make('span', { textContent: low }, ends);
    for (var bit = high; bit >= low; bit--) {
      var digit = number >> BigInt(bit) & 1n;
      var button = make('button', { type: 'button', textContent: digit, tabIndex: -1 }, row);
      button.dataset.bit = bit;
      button.setAttribute('aria-pressed', String(digit === 1n));
      button.setAttribute('aria-label', 'Bit ' + bit + ', ' + (part.field || 'unused'));
    }
    // If there is no room for the whole name, display the part after the dot, which is more specific.
    var name = part.field || '–';
    make('div', { className: 'name', textContent: high === low ? name.split('.').pop() : name, ariaHidden: 'true' }, made);
  }
  function toggle(bit) {
    focused = bit;
    var it = words[here], number = BigInt('0x' + it.digits) ^ 1n << BigInt(bit);
    replace(number.toString(16).padStart(it.digits.length, '0'));
  }
  // Replaces the selected word and its text.
  function replace(digits) {
    var it = words[here];
    var list = it.statement.words.slice();
    list[it.at] = digits;
    var start = it.statement.start, end = it.statement.end;
    // If a statement ends with its line, it includes the line break.
    if (text.value[end - 1] === '\n') end--;
    text.value = text.value.slice(0, start) + written(list) + text.value.slice(end);
    changed();
  }
  bits.addEventListener('click', function (event) {
    var button = event.target.closest('button');
    if (button) toggle(Number(button.dataset.bit));
  });
  bits.addEventListener('keydown', function (event) {
    var button = event.target.closest('button'), columns = Number(bits.style.getPropertyValue('--columns'));
    if (!button) return;
    var all = bits.querySelectorAll('button'), last = all.length - 1;
    var to = { ArrowLeft: 1, ArrowRight: -1, ArrowUp: columns, ArrowDown: -columns }[event.key];
    var bit = to ? Number(button.dataset.bit) + to : { Home: last, End: 0 }[event.key];
    if (bit === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (bit < 0 || bit > last) return;
    focused = bit;
    button.tabIndex = -1;
    var next = bits.querySelector('[data-bit="' + bit + '"]');
    next.tabIndex = 0;
    next.focus();
  });

  // ---- the explanation of the word
  function explain() {
    var it = words[here], said = element('said'), parts = element('parts');
    said.textContent = parts.textContent = element('refused').textContent = '';
    if (document.activeElement !== word) word.value = it ? it.digits : '';
    bits.hidden = !it || described.widths.indexOf(it.digits.length * 4) < 0;
    if (!it) return;
    if (bits.hidden) { said.textContent = 'Data with fewer bits than a word.'; return; }
    var explained = asked('explain\n' + it.digits);
    make('code', { textContent: explained.text, id: 'try-printed' }, said);
    make('span', { className: explained.legal ? 'legal' : 'illegal', id: 'try-legal', textContent: explained.legal ? 'valid' : 'invalid' }, said);
    if (explained.opcode) {
      said.append(explained.legal ? '' : 'nearest to ');
      make('a', { href: '../' + pages[explained.opcode], textContent: explained.opcode }, said);
    }
    if (explained.reason) make('span', { className: 'reason', textContent: explained.reason }, said);
    draw(it.digits.length * 4, BigInt('0x' + it.digits), explained);
    if (!explained.parts.length) return;
    var body = table(parts, 'Meaning of the bits', ['bits', 'field', 'raw', 'meaning']);
    explained.parts.forEach(function (part) {
      var run = part.high === null ? 'none' : part.high === part.low ? String(part.low) : part.high + '..' + part.low;
      var notes = [part.kind, part.access, part.fixed_by && 'fixed by ' + part.fixed_by, part.default && 'default'].filter(Boolean).join(', ');
      var meaning = part.field === null ? (part.legal ? 'unused' : 'invalid: unused bits must be 0') : part.legal ? part.meaning : 'invalid value';
      var made = row(body, [run, make('code', { textContent: part.field || '-' }), part.raw, meaning + (notes ? '  (' + notes + ')' : '') + (part.doc ? ': ' + part.doc : '')], ['number', '', 'number', 'meaning']);
      made.dataset.field = fieldOf(part);
      if (!part.legal) made.classList.add('bad');
    });
    explained.exceptions.forEach(function (broken) {
      make('p', { className: 'reason', textContent: broken.condition + ': ' + broken.reason }, parts);
    });
  }
  word.addEventListener('input', function () {
    var digits = word.value.trim().replace(/^0x/i, '').replace(/\s+/g, '').toLowerCase(), it = words[here];
    var widths = described.widths.slice().sort(function (a, b) { return a - b; });
    var width = widths.find(function (bits) { return digits.length <= bits / 4; });
    var refused = !/^[0-9a-f]+$/.test(digits) || !width;
    word.setAttribute('aria-invalid', String(refused));
    if (refused) element('refused').textContent = 'A word has at most ' + widths[widths.length - 1] / 4 + ' hexadecimal digits.';
    else if (it) replace(digits.padStart(width / 4, '0'));
    else { text.value = written([digits.padStart(width / 4, '0')]); changed(); }
  });

  // ---- execution
  function pairs(list) { return list.map(function (pair) { return pair.join(' = '); }).join(', ') || 'nothing'; }
  function execute() {
    var done = element('done');
    done.textContent = '';
    state.setAttribute('aria-invalid', 'false');
    if (!described.executes || !words.length) return;
    var answer = asked('execute\n' + steps + ' ' + state.value.trim().split(/\s+/).join(' ') + '\n' + text.value);
    if (answer.error) {
      state.setAttribute('aria-invalid', 'true');
      make('p', { className: 'reason', textContent: (answer.setting ? answer.setting + ': ' : '') + answer.error }, done);
      return;
    }
    if (answer.errors) return;
    var lines = texts(answer.steps.map(function (step) { return step.word; }));
    if (answer.steps.length) {
      var body = table(done, 'Steps', ['address', 'instruction', 'reads', 'writes']);
      answer.steps.forEach(function (step, i) {
        row(body, [step.address, make('code', { textContent: lines[i] }), pairs(step.reads), pairs(step.writes)], ['number', '', 'number', 'number']);
      });
    }
    if (answer.executed > answer.steps.length) make('p', { className: 'note', textContent: answer.executed + ' instructions were executed; the first ' + answer.steps.length + ' are shown.' }, done);
    if (answer.stopped) make('p', { className: 'reason', textContent: 'Stopped at ' + answer.stopped.address + ': ' + answer.stopped.reason }, done);
    var result = make('p', { id: 'try-written' }, done);
    make('strong', { textContent: 'Written: ' }, result);
    make('code', { textContent: pairs(answer.written) }, result);
  }

  // ---- the address, which contains all input
  var hash = '';
  function link() {
    var params = new URLSearchParams({ text: text.value });
    if (here) params.set('at', here);
    if (state.value.trim()) params.set('state', state.value.trim());
    hash = '#' + params;
    try { history.replaceState(null, '', hash); } catch (error) { location.replace(hash); }
  }
  function read() {
    var params = new URLSearchParams(location.hash.slice(1));
    if (!params.has('text')) return false;
    text.value = params.get('text');
    here = Math.trunc(Number(params.get('at'))) || 0;
    state.value = params.get('state') || '';
    hash = location.hash;
    return true;
  }
  element('copy').addEventListener('click', function () {
    var copied = element('copied');
    function fail() { copied.textContent = 'The address of this page is the link.'; }
    if (!navigator.clipboard) return fail();
    navigator.clipboard.writeText(location.href).then(function () { copied.textContent = 'Copied.'; }, fail);
  });

  // ---- updates of the page
  function show() {
    listing();
    explain();
    execute();
    link();
  }
  function changed() {
    element('copied').textContent = '';
    if (assemble()) return show();
    // If the text has an error, the previous words are kept.
    link();
  }
  function guarded(what) {
    return function () {
      try { what(); } catch (error) {
        wait.hidden = false;
        wait.textContent = 'The engine has stopped: ' + error.message + '. Reload the page to continue.';
        throw error;
      }
    };
  }
  text.addEventListener('input', guarded(changed));
  text.addEventListener('keyup', guarded(pick));
  text.addEventListener('click', guarded(pick));
  // Selects the statement at the caret.
  function pick() {
    var at = text.selectionStart;
    var found = words.findIndex(function (it) { return at >= it.statement.start && at <= it.statement.end; });
    if (found < 0 || found === here || text.getAttribute('aria-invalid') === 'true') return;
    here = found;
    show();
  }
  state.addEventListener('input', guarded(function () { execute(); link(); }));
  element('example').addEventListener('change', guarded(function () {
    if (!this.value && !element('example').value) return;
    text.value = element('example').value;
    here = 0;
    changed();
  }));
  narrow.addEventListener('change', guarded(explain));
  addEventListener('hashchange', guarded(function () { if (location.hash !== hash && read()) changed(); }));
  // Resolves to `ask` when the page is ready. Tests use it.
  window.isaTry = Promise.resolve().then(load).then(function (loaded) {
    engine = loaded.instance.exports;
    window.isaModule = null;
    described = asked('describe');
    var files = described.files.map(function (file) { return file.all; });
    element('places').textContent = described.executes
      ? 'NAME=VALUE, separated by spaces, in decimal or in hexadecimal with 0x. You can set ' + files.join(', ') + '; the default is 0.'
      : 'This engine has no machine, so it cannot execute instructions.';
    state.disabled = !described.executes;
    if (!read()) {
      var first = element('example').options[1];
      text.value = first ? first.value : '';
    }
    wait.hidden = true;
    page.hidden = false;
    changed();
    performance.mark('isa-shown');
    return ask;
  });
  window.isaTry.catch(function (error) { wait.textContent = 'The engine could not be loaded: ' + error.message + '.'; });
})();
