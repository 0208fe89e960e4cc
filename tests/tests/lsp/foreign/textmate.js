// Applies a TextMate grammar to a text with the engine of Visual Studio Code:
//
//   node textmate.js MODULES GRAMMAR TEXT
//
// Prints each token that has a scope besides the root scope: line, first column, column after the last, scope.
const [modules, grammarFile, textFile] = process.argv.slice(2);
const fs = require('fs');
const path = require('path');
const { Registry, INITIAL, parseRawGrammar } = require(path.join(modules, 'vscode-textmate'));
const oniguruma = require(path.join(modules, 'vscode-oniguruma'));

async function main() {
  const engine = path.join(modules, 'vscode-oniguruma', 'release', 'onig.wasm');
  await oniguruma.loadWASM(fs.readFileSync(engine).buffer);
  const grammar = parseRawGrammar(fs.readFileSync(grammarFile, 'utf8'), 'grammar.json');
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => grammar,
  });
  const own = await registry.loadGrammar(grammar.scopeName);
  let state = INITIAL;
  const output = [];
  fs.readFileSync(textFile, 'utf8').split('\n').forEach((line, number) => {
    const result = own.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      if (scopes.length > 1) {
        // The engine appends a line break, which may be part of the token.
        const end = Math.min(endIndex, line.length);
        output.push(`${number} ${startIndex} ${end} ${scopes[scopes.length - 1]}\n`);
      }
    }
  });
  fs.writeSync(1, output.join(''));
}

main();
