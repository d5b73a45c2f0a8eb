// The check of English prose, run on small files in a temporary folder.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

const THIRTY_WORDS = `A ${'b '.repeat(28)}fox`;

describe('scripts/lint-prose.js', () => {
  const dir = temporaryDir();
  after(() => dir.remove());

  function problemsOf(path: string, text: string): string[] {
    mkdirSync(dirname(join(dir.path, path)), { recursive: true });
    writeFileSync(join(dir.path, path), text);
    const script = join(ROOT, 'scripts/lint-prose.js');
    const { status, stderr } = spawnSync(process.execPath, [script, path], { cwd: dir.path, encoding: 'utf8' });
    const lines = stderr.split('\n').filter((line) => line !== '');
    expect(status, stderr).to.equal(lines.length > 0 ? 1 : 0);
    return lines;
  }

  it('accepts plain English', () => {
    expect(problemsOf('docs/good.md', `# Title\n\nStart the service. ${THIRTY_WORDS}.\n`)).to.deep.equal([]);
    expect(problemsOf('good.ts', `// Retries once.\nconst a = 1; // in seconds\n`)).to.deep.equal([]);
  });

  it('reports a sentence of more than 30 words with its line', () => {
    const [problem, ...others] = problemsOf('docs/long.md', `# Title\n\nShort.\n\n- One. ${THIRTY_WORDS} jumps.\n`);
    expect(problem).to.match(/^docs\/long\.md:5: 31 words in a sentence, at most 30: A b b/);
    expect(others).to.deep.equal([]);
  });

  it('reports a phrase with a hint in documents, comments and test titles', () => {
    expect(problemsOf('docs/text.md', 'It deletes those that expired.\n')[0]).to.include(
      '"those that": name the things',
    );
    expect(problemsOf('a.ts', '/**\n * Deletes\n * those that expired.\n */\n')[0]).to.match(/^a\.ts:1: "those that"/);
    expect(problemsOf('b.ts', 'let a = 1; // but for tests\n')[0]).to.match(/^b\.ts:1: "but for"/);
    expect(problemsOf('c.ts', "it('deletes those that expired', () => {});\n")[0]).to.match(/^c\.ts:1: "those that"/);
    expect(problemsOf('e.ts', "const url = 'https://a.example/nor';\n")).to.deep.equal([]);
    expect(problemsOf('d.lua', '-- Nor this.\n')[0]).to.match(/^d\.lua:1: "Nor"/);
  });

  it('reports a phrase in a text that the service shows, but not in other code or the dashboard', () => {
    const text = "const text = 'Rejected before the answer is sent.';\n";
    expect(problemsOf('src/a.ts', text)[0]).to.match(/^src\/a\.ts:1: "answer": use "response"/);
    expect(problemsOf('src/b.ts', "const text = 'the mail goes before ' + name;\n")).to.have.length(1);
    expect(problemsOf('src/c.ts', "import { a } from './the answer of it.js';\n")).to.deep.equal([]);
    expect(problemsOf('src/dashboard/d.ts', text)).to.deep.equal([]);
    expect(problemsOf('test/e.ts', text)).to.deep.equal([]);
  });

  it('reports a sentence that begins with What, unless it is a question', () => {
    expect(problemsOf('docs/what.md', 'What fails is refunded.\n')).to.have.length(1);
    expect(problemsOf('docs/question.md', 'What is refunded?\n')).to.deep.equal([]);
  });

  it('ignores code and the text of tables', () => {
    const text = `\`\`\`\n${THIRTY_WORDS} those that ${THIRTY_WORDS}\n\`\`\`\n\n| A |\n|---|\n| ${THIRTY_WORDS} jumps |\n`;
    expect(problemsOf('docs/code.md', `${text}\nUse \`those that\`.\n`)).to.deep.equal([]);
  });

  it('reports long lines, without the targets of links', () => {
    const link = `[a](https://icons.example/${'a'.repeat(200)})`;
    expect(problemsOf('docs/line.md', `${'Go. '.repeat(40)}\n${link}\n`)).to.have.length(0);
    expect(problemsOf('docs/line.md', `${'Go. '.repeat(41)}\n`)[0]).to.include(
      'docs/line.md:1: 164 characters, at most 160',
    );
  });

  it('reports pages that are too long', () => {
    const words = 'Go. '.repeat(30).trim().concat('\n').repeat(14);
    expect(problemsOf('docs/adr/0099-long.md', words)).to.deep.equal(['docs/adr/0099-long.md: 420 words, at most 400']);
    expect(problemsOf('docs/long-page.md', words)).to.deep.equal([]);
  });

  it('counts symbols as words in ARCHITECTURE.md, but not in docs/', () => {
    const rows = `| a | b |\n|---|---|\n${'| a | b |\n'.repeat(299)}`;
    expect(problemsOf('ARCHITECTURE.md', rows)).to.deep.equal(['ARCHITECTURE.md: 1501 words, at most 1500']);
    expect(problemsOf('docs/rows.md', rows)).to.deep.equal([]);
  });
});
