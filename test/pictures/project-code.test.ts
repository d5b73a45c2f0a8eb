// Code for a project that uses a drawing: the files for each framework.
import { expect } from 'chai';
import type { Slug } from '../../src/catalog/entry.js';
import { CODE_FORMATS, isComponent, projectFile, type CodeSubject } from '../../src/pictures/project-code.js';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"><path d="M0 0h24v12z" fill="currentColor" fill-rule="evenodd"/><mask id="a1" mask-type="alpha"/></svg>';

function subject(facts: Partial<CodeSubject> = {}): CodeSubject {
  return {
    slug: 'visual-studio.code' as Slug,
    title: 'VS Code',
    license: 'MIT',
    variant: { name: 'default', width: 24, height: 12 },
    svg: SVG,
    ...facts,
  };
}

describe('files of a project', () => {
  it('are named after slug and variant, and components by the rules of the language', () => {
    const mono = subject({ variant: { name: 'mono', width: 1, height: 1 } });
    const names = (of: CodeSubject, typed: boolean) =>
      CODE_FORMATS.map((format) => projectFile(format, of, typed).name);
    expect(names(subject(), false)).to.deep.equal([
      'visual-studio.code.svg',
      'VisualStudioCode.jsx',
      'VisualStudioCode.vue',
      'VisualStudioCode.svelte',
      'visual-studio.code.txt',
    ]);
    expect(projectFile('react', mono, true).name).to.equal('VisualStudioCodeMono.tsx');
    expect(projectFile('svg', mono, true).name).to.equal('visual-studio.code-mono.svg');
    expect(projectFile('vue', subject({ slug: '1password' as Slug }), false).name).to.equal('Icon1password.vue');
  });

  it('are components for React, Vue and Svelte', () => {
    expect(CODE_FORMATS.filter(isComponent)).to.deep.equal(['react', 'vue', 'svelte']);
  });

  it('are React components with its attribute names, as high as the text', () => {
    const { text } = projectFile('react', subject(), true);
    expect(text).to.equal(
      [
        "import type { SVGProps } from 'react';",
        '',
        '/** VS Code. License: MIT */',
        'export default function VisualStudioCode(props: SVGProps<SVGSVGElement>) {',
        '  return (',
        '    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12" width="2em" height="1em" {...props}><path d="M0 0h24v12z" fill="currentColor" fillRule="evenodd"/><mask id="a1" mask-type="alpha"/></svg>',
        '  );',
        '}',
        '',
      ].join('\n'),
    );
    expect(projectFile('react', subject(), false).text).to.match(
      /^\/\*\* .*\*\/\nexport default function \w+\(props\) \{/,
    );
  });

  it('accept attributes from outside, automatically in Vue, and in Svelte', () => {
    expect(projectFile('vue', subject(), false).text).to.match(
      /^<!-- .* -->\n<template>\n {2}<svg [^>]*height="1em"><path/,
    );
    expect(projectFile('svelte', subject(), false).text)
      .to.include('const props = $props();')
      .and.include(' {...props}><path');
  });

  it('are not affected by a title that ends its comment', () => {
    const hostile = subject({ title: '--> */ <script>' });
    expect(projectFile('vue', hostile, false).text.split('\n')[0]).to.match(/^<!-- (?!.*-->.*-->).* -->$/);
    expect(projectFile('react', hostile, false).text.split('\n')[0]).to.match(/^\/\*\* (?!.*\*\/.*\*\/).* \*\/$/);
  });

  it('are data URIs of the same drawing', async () => {
    const { text } = projectFile('data-uri', subject(), false);
    const answer = await fetch(text.trim());
    expect(answer.headers.get('content-type')).to.equal('image/svg+xml');
    expect((await answer.text()).replaceAll("'", '"')).to.equal(SVG);
  });
});
