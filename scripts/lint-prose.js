// `node scripts/lint-prose.js [PATH…]` checks the English of documents, comments, test titles and the service's texts.
// `npm run lint` runs it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { argv, exit } from 'node:process';
import { Marked } from 'marked';

const MAX_SENTENCE_WORDS = 30;
const MAX_LINE_CHARACTERS = 160;
/** Prefix of paths → maximum number of words per document. The first matching prefix counts. */
const MAX_PAGE_WORDS = { 'README.md': 1000, 'ARCHITECTURE.md': 1500, 'docs/adr/': 400, 'docs/': 1200 };
/** Documents in which every text between spaces is a word, as for `wc -w`. Elsewhere, a word has a letter or digit. */
const COUNTED_WITH_SYMBOLS = new Set(['README.md', 'ARCHITECTURE.md']);
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs'];
const CODE = ['config', 'workers', 'scripts', 'src', 'test'];
/** Generated files, and the test of this script. */
const UNCHECKED = [
  'src/pictures/glyphs.ts',
  'src/client/openapi.d.ts',
  'src/dashboard/api/openapi.d.ts',
  'test/scripts/lint-prose.test.ts',
];

const WHAT_SENTENCE = /^What (?!to do).*\.$/;
/** Phrases that are hard to read, each with a hint. */
const PHRASES = [
  [/\bthose (?:that|who|which|whose|with|without|of|in|it)\b/i, 'name the things'],
  [/\bthat (?:of|which)\b/i, 'repeat the noun'],
  [/(?:\b(?:those|ones?|all|that|what|of|for|in|by|with|from|and|or|to)|,) whose\b/i, 'name the owner'],
  [/\b(?:whatever|whoever|whichever)\b/i, 'name the thing or the person'],
  [/\b(?:none of (?:it|an?|the)|none's|no more of|one less)\b/i, 'say what does not happen'],
  [/\bsuch an?\b/i, 'name the thing'],
  [/\b(?:is|are) to be\b/i, 'use "must be" or "can be"'],
  [/\b(?:giv(?:e|es|en) (?:way|back)|broken off|begun|under way)\b/i, 'use reject, refund, abort, start or run'],
  [/\b(?:left out|leaves? out)\b/i, 'use "omit"'],
  [/\b(?:in (?:the place of|another way)|all else|likewise|the latter|but for)\b/i, 'use everyday English'],
  [/(?<!\bneither\b.*)\bnor\b/i, 'write two sentences'],
  [/\bstands? (?:in|on|at|with|before|beside|behind|above|below)\b/i, 'use "is"'],
  [/\bmend(?:s|ed)?\b/i, 'use "fix"'],
  [WHAT_SENTENCE, 'begin with the subject'],
];
/**
 * More phrases to avoid in texts that the service shows. They are allowed in comments, where they may have another
 * meaning.
 */
const TEXT_PHRASES = [
  ...PHRASES.filter(([phrase]) => phrase !== WHAT_SENTENCE),
  [/\banswer(?:s|ed)?\b/i, 'use "response" or "return"'],
  [/\b(?:begins?|began)\b/i, 'use "start"'],
  [/\bgo(?:es)? (?:before|on)\b/i, 'use "take precedence" or "continue"'],
  [/\b(?:given up|gives? up)\b/i, 'say what is not tried again'],
  [/(?<!\bthere )\b(?:is|are|was|were) (?:no(?! longer)|none)\b/i, 'use "is not"'],
  [/\b(?:the one|ones) (?:who|that|which)\b/i, 'name the person or the thing'],
  [/\bas \S+ ha(?:s|ve) it\b/i, 'use "as … reports it"'],
  [/\bof it\b/i, 'name the thing'],
  [/\bhas not\b(?! (?:\w+ed|been|finished|set|started)\b)/i, 'use "does not have"'],
];
/** Code with texts that the service shows. The dashboard is excluded, because it has its own style. */
const TEXT_CODE = /^(?:src\/(?!dashboard\/)|workers\/|config\/).*\.ts$/;
const LITERAL = /(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
/** Sentences that are accepted although a check fails: path → part of the sentence. */
const EXCEPTIONS = {
  'docs/drawings.md': 'whose sides',
  'scripts/glyph-outlines.ts': 'whose ink',
  'src/platform/stores/sqlite/schema.ts': 'whose end',
};

const marked = new Marked();

/** @param {string} path @param {string} text */
function documentProblems(path, text) {
  const problems = [];
  const [, limit] = Object.entries(MAX_PAGE_WORDS).find(([start]) => path.startsWith(start)) ?? ['', Infinity];
  const words = COUNTED_WITH_SYMBOLS.has(path) ? text.trim().split(/\s+/).length : wordsOf(text);
  if (words > limit) problems.push(`${path}: ${words} words, at most ${limit}`);
  const withoutCode = text.replace(/^```[^]*?^```$/gm, (code) => code.replace(/.+/g, ''));
  for (const [at, line] of withoutCode.split('\n').entries()) {
    const { length } = line.replace(/`[^`]*`|\]\([^)]*\)/g, '');
    if (length > MAX_LINE_CHARACTERS && !line.startsWith('|'))
      problems.push(`${path}:${at + 1}: ${length} characters, at most ${MAX_LINE_CHARACTERS}`);
  }
  let position = 0;
  marked.walkTokens(marked.lexer(text), (token) => {
    if (!('tokens' in token) || !['paragraph', 'heading', 'text'].includes(token.type)) return;
    position = Math.max(position, text.indexOf(token.raw.split('\n')[0], position));
    const line = text.slice(0, position).split('\n').length;
    problems.push(...sentenceProblems(path, line, plainText(token.tokens)));
  });
  return problems;
}

/** @param {import('marked').Token[]} tokens @returns {string} */
function plainText(tokens) {
  const parts = tokens.map((token) => {
    if (token.type === 'codespan') return 'code';
    if (token.type === 'html' || token.type === 'image') return '';
    return 'tokens' in token && token.tokens ? plainText(token.tokens) : token.raw;
  });
  return parts.join('');
}

/** @param {string} path @param {string} text */
function codeProblems(path, text) {
  const problems = [];
  let [comment, first] = ['', 0];
  for (const [at, line] of [...text.split('\n').entries(), [0, '']]) {
    const [, own] = /^\s*(?:\/\/|\/?\*+(?!\/)|--)\s?(.*?)(?:\s*\*\/)?$/.exec(line) ?? [];
    if (own !== undefined && !/oxlint-|@ts-/.test(own)) {
      if (comment === '') first = at + 1;
      comment += `${own === '' ? '.' : own}\n`;
      continue;
    }
    problems.push(...sentenceProblems(path, first, comment.replace(/`[^`]*`/g, 'code')));
    comment = '';
    problems.push(...textProblems(path, at + 1, line));
    const [, trailing] = /[;,{)] \/\/ (.*)$/.exec(line) ?? [];
    const [, title] = /\b(?:it|describe\w*)\(['"`](.*?)['"`],/.exec(line) ?? [];
    for (const part of [trailing, title]) problems.push(...sentenceProblems(path, at + 1, part ?? ''));
  }
  return problems;
}

/** Checks the literals of a line that look like sentences. @param {string} path @param {number} at @param {string} line */
function textProblems(path, at, line) {
  if (!TEXT_CODE.test(path) || /^import\b|\bfrom '/.test(line)) return [];
  const texts = [...line.matchAll(LITERAL)].map(([, , text]) =>
    text.replace(/\\?`[^`]*`|\$\{[^}]*\}/g, 'code').replaceAll('\\n', '. '),
  );
  const sentences = texts.filter((text) => /[a-z]+ [a-z]+ [a-z]+/i.test(text));
  return sentences.flatMap((text) => sentenceProblems(path, at, text, TEXT_PHRASES));
}

/** @param {string} path @param {number} line @param {string} text */
function sentenceProblems(path, line, text, phrases = PHRASES) {
  const sentences = text.replace(/\s+/g, ' ').split(/(?<=[.!?]["”)]?)(?<!\b(?:e\.g|i\.e|etc|vs)\.) /);
  return sentences.flatMap((sentence) => {
    if (path in EXCEPTIONS && sentence.includes(EXCEPTIONS[path])) return [];
    const words = wordsOf(sentence);
    const found = phrases.filter(([phrase]) => phrase.test(sentence));
    const problems = found.map(([phrase, hint]) => `"${phrase.exec(sentence)[0]}": ${hint}`);
    if (words > MAX_SENTENCE_WORDS) problems.push(`${words} words in a sentence, at most ${MAX_SENTENCE_WORDS}`);
    return problems.map((problem) => `${path}:${line}: ${problem}: ${sentence.trim().slice(0, 80)}`);
  });
}

const wordsOf = (text) => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => `${path}/${name}`);
}

const named = argv.slice(2);
const paths = (named.length > 0 ? named : [...DOCUMENTS, ...CODE]).flatMap(filesIn);
const checked = paths.filter(
  (path) => /\.(?:md|[jt]sx?|cjs|lua)$/.test(path) && !UNCHECKED.some((start) => path.startsWith(start)),
);
const problems = checked.flatMap((path) => {
  const problemsOf = path.endsWith('.md') ? documentProblems : codeProblems;
  return problemsOf(path, readFileSync(path, 'utf8'));
});
for (const problem of problems) console.error(problem);
exit(problems.length > 0 ? 1 : 0);
