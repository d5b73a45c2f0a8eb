// Findings of a run: one for each defect, however many requests show it, with the shortest request that does.
import { named, sentBytes, type Case } from './case.js';
import type { Violation } from './oracles.js';

const MAX_KINDS = 500;
const MAX_SHOWN = 20;
const MAX_SHOWN_CHARACTERS = 800;

export interface Source {
  readonly index: number;
  readonly case: Case;
}

export interface Finding extends Violation {
  /** Undefined when no single request is to blame. */
  readonly from?: Source;
  readonly count: number;
}

export type Findings = ReturnType<typeof collectFindings>;

const bytesOf = (from: Source) => named(sentBytes(from.case, (text) => text));

/** One finding for each rule and text, numbers and quotations apart. */
export function collectFindings() {
  const bySignature = new Map<string, Finding>();
  return {
    add(violation: Violation, from?: Source): void {
      const signature = `${violation.rule} ${violation.text.replaceAll(/"[^"]*"|\d{4,}/g, '…')}`;
      const known = bySignature.get(signature);
      if (!known && bySignature.size >= MAX_KINDS) return;
      const isShorter = !known?.from || (from !== undefined && bytesOf(from).length < bytesOf(known.from).length);
      const shown = isShorter ? { ...violation, ...(from && { from }) } : known;
      bySignature.set(signature, { ...shown, count: (known?.count ?? 0) + 1 });
    },
    list: (): Finding[] => [...bySignature.values()],
  };
}

/** At most twenty, and how many more there are. Each rule comes first once, so that none hides the others. */
export function findingLines(findings: readonly Finding[], seed: number): string[] {
  const place = (finding: Finding) => findings.filter(({ rule }) => rule === finding.rule).indexOf(finding);
  const shown = findings.toSorted((a, b) => place(a) - place(b)).slice(0, MAX_SHOWN);
  const lines = shown.map((finding) => describe(finding, seed));
  return findings.length > MAX_SHOWN ? [...lines, `… and ${findings.length - MAX_SHOWN} more`] : lines;
}

function describe({ rule, text, count, from }: Finding, seed: number): string {
  const what = `${rule}: ${text}${count > 1 ? ` (${count} times)` : ''}`;
  if (!from) return what;
  const { kind, ending } = from.case;
  const again = `npm run fuzz -- --seed ${seed} --index ${from.index}`;
  return `${what}\n  ${kind}, then ${ending}; ${again}\n  ${escapedBytes(from)}`;
}

/** As a JSON string; credentials by name, long repetitions by count. */
function escapedBytes(from: Source): string {
  const short = JSON.stringify(bytesOf(from)).replaceAll(
    /(.{1,8}?)\1{15,}/g,
    (run: string, unit: string) => `⟨"${unit}" × ${run.length / unit.length}⟩`,
  );
  const more = short.length - MAX_SHOWN_CHARACTERS;
  return more > 0 ? `${short.slice(0, MAX_SHOWN_CHARACTERS)} … and ${more} more characters` : short;
}
