import { asHtml } from './as-html.ts';
import { asText } from './as-text.ts';
import { compose, type Occasion } from './compose.ts';
import type { Draft } from './parts.ts';

/** A letter as it is sent. */
export function draft(occasion: Occasion): Draft {
  const parts = compose(occasion);
  return { subject: parts.subject, text: asText(parts), html: asHtml(parts) };
}
