import { fencesOf } from '../site/fences.ts';
import type { SampleValue } from './literal.ts';
import { parseRequest, type SampleRequest } from './request.ts';

/** A part of a page that a test runs, in the page's order. */
export type Step =
  | { readonly kind: 'request'; readonly request: SampleRequest; readonly line: number }
  /** Members that the previous response must have. */
  | { readonly kind: 'response'; readonly expected: SampleValue; readonly line: number }
  /** Waits until Florin has nothing left to do for the merchant. */
  | { readonly kind: 'drain' }
  /** Shell commands. */
  | { readonly kind: 'shell'; readonly commands: string; readonly line: number };

/** In a page, waits for pending work before the next sample. Readers do not see it. */
export const DRAIN = '<!-- drain -->';

/** Returns what a test has to run of a page. Throws an error that names the line of a bad block. */
export function stepsOf(markdown: string): readonly Step[] {
  const lines = markdown.split('\n');
  const drains = lines.flatMap((text, index) =>
    text === DRAIN ? [{ line: index + 1, step: { kind: 'drain' } as const }] : [],
  );
  const blocks = fencesOf(markdown).flatMap((fence) => {
    const step = stepOf(fence);
    return step ? [{ line: fence.line, step }] : [];
  });
  return [...drains, ...blocks]
    .toSorted((one, other) => one.line - other.line)
    .map(({ step }) => step);
}

function stepOf({
  kind,
  flags,
  content,
  line,
}: ReturnType<typeof fencesOf>[number]): Step | undefined {
  try {
    if (kind === 'api') return { kind: 'request', request: parseRequest(content), line };
    if (kind === 'response') return { kind: 'response', expected: JSON.parse(content), line };
    if (kind === 'sh' && flags === 'run') return { kind: 'shell', commands: content, line };
    return undefined;
  } catch (error) {
    throw new Error(`Line ${line}: ${(error as Error).message}`, { cause: error });
  }
}
