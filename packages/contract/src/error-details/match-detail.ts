import { type DetailName, detailTemplates } from './templates.ts';

/** The template of a detail, with the values of its parameters. */
export interface KnownDetail {
  readonly name: DetailName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Matches a name of a field, such as `line_items 0 quantity`. Sentences have more words. */
const FIELD = String.raw`\S+(?: \S+){0,3}`;

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Splitting at placeholders gives texts at even places and names of parameters at odd ones. */
const patternOf = (template: string): RegExp => {
  const parts = template.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return escapeText(part);
    return `(?<${part}>${part === 'field' ? FIELD : '.+'})`;
  });
  return new RegExp(`^${parts.join('')}$`);
};

const patterns = Object.entries(detailTemplates).map(
  ([name, template]) => [name as DetailName, patternOf(template)] as const,
);

/** Recognises the detail of an error. Returns undefined for details that people do not meet in forms. */
export function matchDetail(detail: string): KnownDetail | undefined {
  for (const [name, pattern] of patterns) {
    const match = pattern.exec(detail);
    if (match) return { name, parameters: { ...match.groups } };
  }
  return undefined;
}
