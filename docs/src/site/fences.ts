/** A fenced block of a page. */
export interface Fence {
  /** First word after the backticks: a language, or `api`, `response`. */
  readonly kind: string;
  /** Rest of the line after the backticks. */
  readonly flags: string;
  readonly content: string;
  /** Number of the block's first line in the page, from 1. */
  readonly line: number;
}

const FENCE = /^```(\S*)(?: (.*))?\n([\s\S]*?)^```$/gm;

/** Finds the fenced blocks of a page, in order. */
export const fencesOf = (markdown: string): readonly Fence[] =>
  [...markdown.matchAll(FENCE)].map(([, kind = '', flags = '', content = ''], index, matches) => ({
    kind,
    flags,
    content: content.trimEnd(),
    line: lineAt(markdown, matches[index]?.index ?? 0),
  }));

/** Replaces each fenced block of a page. */
export function replaceFences(markdown: string, render: (fence: Fence) => string): string {
  const fences = fencesOf(markdown)[Symbol.iterator]();
  return markdown.replace(FENCE, () => render(fences.next().value as Fence));
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
