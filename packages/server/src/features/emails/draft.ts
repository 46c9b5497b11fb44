import { asHtml } from '../../platform/emails/as-html.ts';
import { asText } from '../../platform/emails/as-text.ts';
import type { Draft } from '../../platform/emails/parts.ts';
import { compose } from './compose.ts';
import type { Occasion } from './occasion.ts';

/** Renders an email. */
export function draft(occasion: Occasion): Draft {
  const parts = compose(occasion);
  return { subject: parts.subject, text: asText(parts), html: asHtml(parts) };
}
