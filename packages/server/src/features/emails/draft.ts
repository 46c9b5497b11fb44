import { asHtml } from '../../platform/emails/as-html.ts';
import { asText } from '../../platform/emails/as-text.ts';
import type { Draft } from '../../platform/emails/parts.ts';
import { compose, type Occasion } from './compose.ts';

/** A letter as it is sent. */
export function draft(occasion: Occasion): Draft {
  const parts = compose(occasion);
  return { subject: parts.subject, text: asText(parts), html: asHtml(parts) };
}
