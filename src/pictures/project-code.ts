// Drawings as files of a project: SVG, data URI, and components for React, Vue and Svelte.
import type { Slug, Variant } from '../catalog/entry.js';
import { printable } from '../platform/text/printable.js';

export const CODE_FORMATS = ['svg', 'react', 'vue', 'svelte', 'data-uri'] as const;
export type CodeFormat = (typeof CODE_FORMATS)[number];

export interface CodeSubject {
  readonly slug: Slug;
  readonly title: string;
  readonly license: string;
  readonly variant: Pick<Variant, 'name' | 'width' | 'height'>;
  /**
   * Sanitized SVG. If the code is a React, Vue or Svelte component, the color of a recolorable drawing is
   * `currentColor`.
   */
  readonly svg: string;
}

interface ProjectFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns true for components, which take the color and size of the surrounding text. The other formats keep the brand
 * color.
 */
export function isComponent(format: CodeFormat): boolean {
  return format !== 'svg' && format !== 'data-uri';
}

/** Returns the file for a project. `typed`: true for TypeScript, false for JavaScript. */
export function projectFile(format: CodeFormat, subject: CodeSubject, typed: boolean): ProjectFile {
  const { slug, variant, svg } = subject;
  const plain = variant.name === 'default' ? slug : `${slug}-${variant.name}`;
  const name = componentName(plain);
  switch (format) {
    case 'svg':
      return { name: `${plain}.svg`, text: `${svg}\n` };
    case 'data-uri':
      return { name: `${plain}.txt`, text: `${dataUri(svg)}\n` };
    case 'react':
      return { name: `${name}.${typed ? 'tsx' : 'jsx'}`, text: react(name, subject, typed) };
    case 'vue':
      return {
        name: `${name}.vue`,
        text: `${comment(subject)}\n<template>\n  ${withAttributes(subject, '')}\n</template>\n`,
      };
    case 'svelte':
      // `$props` requires Svelte 5.
      return {
        name: `${name}.svelte`,
        text: `${comment(subject)}\n<script>\n  const props = $props();\n</script>\n\n${withAttributes(subject, ' {...props}')}\n`,
      };
  }
}

/**
 * Returns a component's name: `visual-studio-code-mono` → `VisualStudioCodeMono`. Names that begin with a digit get the
 * prefix `Icon`.
 */
function componentName(name: string): string {
  const pascal = name.replace(/(?:^|[^a-z0-9]+)([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
  return /^\d/.test(pascal) ? `Icon${pascal}` : pascal;
}

function comment({ title, license }: CodeSubject): string {
  return `<!-- ${about({ title, license }).replace(/-(?=-)/g, '- ')} -->`;
}

function about({ title, license }: Pick<CodeSubject, 'title' | 'license'>): string {
  return printable(`${title}. License: ${license}`);
}

/** Sets the component's height to the font size. Attributes that the caller passes override it. */
function withAttributes({ svg, variant: { width, height } }: CodeSubject, rest: string): string {
  const size = ` width="${Number((width / height).toFixed(3))}em" height="1em"`;
  return svg.replace(/^<svg([^>]*?)(\/?)>/, (_, own: string, end: string) => `<svg${own}${size}${rest}${end}>`);
}

function react(name: string, subject: CodeSubject, typed: boolean): string {
  const drawing = jsx(withAttributes(subject, ' {...props}'));
  return [
    ...(typed ? ["import type { SVGProps } from 'react';", ''] : []),
    `/** ${about(subject).replaceAll('*/', '* /')} */`,
    `export default function ${name}(props${typed ? ': SVGProps<SVGSVGElement>' : ''}) {`,
    `  return (`,
    `    ${drawing}`,
    `  );`,
    `}`,
    '',
  ].join('\n');
}

/** Attributes whose dash stays in JSX, because React passes unknown attributes on unchanged. */
const DASHED = new Set(['mask-type']);

/**
 * Converts a sanitized drawing to JSX. Replacing patterns is enough, because sanitized drawings contain only elements
 * and quoted attributes.
 */
function jsx(svg: string): string {
  return svg
    .replace(/ style="([^"]*)"/g, (_, style: string) => ` style={{ ${styleObject(style)} }}`)
    .replace(/ ([\w-]+)="/g, (all, name: string) => (DASHED.has(name) ? all : ` ${camelCase(name)}="`));
}

function styleObject(style: string): string {
  return style
    .split(';')
    .map((declaration) => declaration.split(':'))
    .map(([property = '', value = '']) => `${camelCase(property)}: '${value}'`)
    .join(', ');
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function dataUri(svg: string): string {
  const quoted = svg.includes("'") ? svg : svg.replaceAll('"', "'");
  return `data:image/svg+xml,${quoted.replace(/[%#<>?[\\\]^`{|}"\s]/g, (sign) => (sign === ' ' ? sign : encodeURIComponent(sign)))}`;
}
