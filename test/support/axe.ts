// Violations of accessibility rules in a page, found with axe.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

interface Scope {
  /** Selectors of the checked elements. If undefined, the whole page is checked. */
  readonly within?: readonly string[];
  /** Ids of the checked rules. If undefined, all rules are checked. */
  readonly rules?: readonly string[];
}

/**
 * Returns the violations. Takes ten seconds for a page with thousands of elements, mostly because of color contrast.
 */
export async function violations(page: Page, { within, rules }: Scope = {}): Promise<string[]> {
  await page.evaluate(AXE);
  // Ends CSS transitions, because axe would measure intermediate colors.
  await page.evaluate(
    'for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()',
  );
  const context = within ? JSON.stringify({ include: within }) : 'document';
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const found = await page.evaluate<Violation[]>(
    `axe.run(${context}, ${options}).then(({ violations }) => violations)`,
  );
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
  );
}
