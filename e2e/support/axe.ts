import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';

/** Minified script of axe, because every inspected document parses the script again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  var axe: typeof import('axe-core');
}

/**
 * Returns axe's findings in a frame's document, including best practices. With `rules`, returns only findings of
 * these rules.
 */
export async function violationsIn(frame: Frame, rules?: string[]): Promise<string[]> {
  const isLoaded = await frame.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await frame.evaluate(AXE);
  const { violations } = await frame.evaluate(
    (ruleIds) =>
      globalThis.axe.run({ resultTypes: ['violations'], ...(ruleIds && { runOnly: ruleIds }) }),
    rules,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
