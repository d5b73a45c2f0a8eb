// Findings of a run: one for each defect, however many requests show it, with the shortest request that does.
import { messageBytes, named, sentBytes, type Case } from './case.js';
import type { Violation } from './oracles.js';

const MAX_SHOWN = 20;
const MAX_SHOWN_CHARACTERS = 800;

export interface Finding extends Violation {
  /** Of the shortest case; undefined when no single request is to blame. */
  readonly index?: number;
  readonly case?: Case;
  readonly count: number;
}

export interface Findings {
  add(violation: Violation, from?: { readonly index: number; readonly case: Case }): void;
  list(): Finding[];
}

/** One for each rule and text, numbers and quotations apart; the memory they take is bounded by `maxKinds`. */
export function collectFindings(maxKinds = 500): Findings {
  const bySignature = new Map<string, Finding>();
  return {
    add(violation, from) {
      const signature = `${violation.rule} ${violation.text.replaceAll(/"[^"]*"|\d{4,}/g, '…')}`;
      const known = bySignature.get(signature);
      if (!known && bySignature.size >= maxKinds) return;
      const isShorter = !known?.case || (from !== undefined && lengthOf(from.case) < lengthOf(known.case));
      const shown = isShorter ? { ...violation, ...from } : known;
      bySignature.set(signature, { ...shown, count: (known?.count ?? 0) + 1 });
    },
    list: () => [...bySignature.values()],
  };
}

const lengthOf = ({ messages }: Case) =>
  messages.map((message) => messageBytes(message, (text) => text)).join('').length;

/** At most twenty, and how many more there are. Each rule comes first once, so that none hides the others. */
export function findingLines(findings: readonly Finding[], seed: number): string[] {
  const place = (finding: Finding) => findings.filter(({ rule }) => rule === finding.rule).indexOf(finding);
  const shown = findings
    .toSorted((a, b) => place(a) - place(b))
    .slice(0, MAX_SHOWN)
    .map((finding) => describe(finding, seed));
  return findings.length > MAX_SHOWN ? [...shown, `… and ${findings.length - MAX_SHOWN} more`] : shown;
}

function describe({ rule, text, count, index, case: one }: Finding, seed: number): string {
  const times = count > 1 ? ` (${count} times)` : '';
  if (!one || index === undefined) return `${rule}: ${text}${times}`;
  const how = [one.kind, ...(one.operation === undefined ? [] : [one.operation]), `then ${one.ending}`];
  return (
    `${rule}: ${text}${times}\n  ${how.join(', ')}; ` +
    `npm run fuzz -- --seed ${seed} --index ${index}\n  ${escapedBytes(one)}`
  );
}

/** As a JavaScript string; credentials by name, long repetitions by count. */
function escapedBytes(one: Case): string {
  const messages = one.messages.map((message) => ({
    ...message,
    fields: message.fields.map((field) => field.replace(/: auto$/, ': {length}')),
  }));
  const bytes = named(sentBytes({ ...one, messages }, (text) => text));
  const escaped = bytes.replaceAll(
    /[^ !#-[\]-~]/g,
    (byte) => ESCAPES[byte] ?? `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  const short = escaped.replaceAll(
    /(.{1,8}?)\1{15,}/g,
    (run: string, unit: string) => `⟨"${unit}" × ${run.length / unit.length}⟩`,
  );
  const more = short.length - MAX_SHOWN_CHARACTERS;
  return more > 0 ? `"${short.slice(0, MAX_SHOWN_CHARACTERS)}" … and ${more} more characters` : `"${short}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\r': '\\r',
  '\n': '\\n',
  '\t': '\\t',
  '\0': '\\0',
  '"': '\\"',
  '\\': '\\\\',
};
