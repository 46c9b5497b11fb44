import { oneLine } from './brand.ts';
import type { EmailContent } from './parts.ts';

/** Renders an email as plain text. */
export function asText({ title, paragraphs, lines, button, notes, brand }: EmailContent): string {
  const blocks = [
    title,
    ...paragraphs,
    lines.map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`).join('\n'),
    button ? `${button.label}:\n${button.url}` : '',
    notes.join('\n'),
    ['--', brand.name, brand.website].filter(Boolean).join('\n'),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}
