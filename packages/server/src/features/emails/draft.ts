import { asHtml } from '../../platform/emails/as-html.ts';
import { asText } from '../../platform/emails/as-text.ts';
import type { Draft } from '../../platform/emails/parts.ts';
import { composeContent } from './compose.ts';
import type { EmailInput } from './email-input.ts';

/** Renders an email: subject, text and HTML. */
export function draftEmail(input: EmailInput): Draft {
  const content = composeContent(input);
  return { subject: content.subject, text: asText(content), html: asHtml(content) };
}
