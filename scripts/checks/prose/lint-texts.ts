import type { LintError, Options } from 'markdownlint';
import { lint } from 'markdownlint/promise';

/** markdownlint calls itself for each text, so many texts at once would exhaust the stack. */
const TEXTS_PER_CALL = 100;

/** Findings of markdownlint in texts, by the name of each text. Comments in a text cannot turn rules off. */
export async function lintTexts(
  texts: Readonly<Record<string, string>>,
  options: Pick<Options, 'config' | 'customRules'>,
): Promise<[string, LintError[]][]> {
  const entries = Object.entries(texts);
  const chunks = Array.from({ length: Math.ceil(entries.length / TEXTS_PER_CALL) }, (_, at) =>
    entries.slice(at * TEXTS_PER_CALL, (at + 1) * TEXTS_PER_CALL),
  );
  const results = await Promise.all(
    chunks.map((chunk) =>
      lint({ ...options, strings: Object.fromEntries(chunk), noInlineConfig: true }),
    ),
  );
  return results.flatMap((result) => Object.entries(result));
}
