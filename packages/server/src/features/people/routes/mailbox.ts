import type { IncomingHttpHeaders } from 'node:http';
import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { mailWayOf } from '../../../config/config.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Draft } from '../../../platform/emails/parts.ts';
import { instantText, microsOf } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { bodyPlace } from '../emails/write.ts';
import { keptAccountLetters } from '../sql/account-letters.ts';

const LETTERS_MAX = 50;

/** The letters to people with an account, on a machine's own server that nothing sends mail for. */
export function registerMailbox(
  fastify: FastifyInstance,
  { reads, sealer, config }: Services,
): void {
  const own = new URL(config.public_url).host;
  fastify.get('/dashboard/api/mailbox', { config: { open: true } }, async ({ headers }) => {
    // A page of another site whose name was led here (DNS rebinding) names its own host.
    if (mailWayOf(config) !== 'mailbox' || headers.host !== own || isForwarded(headers))
      throw none();
    const letters = await keptAccountLetters(reads, LETTERS_MAX);
    return { data: letters.map((letter) => letterView(letter, opened(letter))) };
  });
  function opened(letter: Row): Partial<Draft> {
    const text = sealer.open(letter.body as string, bodyPlace(letter));
    return text === undefined ? {} : (JSON.parse(text) as Draft);
  }
}

/** What a proxy sends on comes from elsewhere, whatever the host: this box is the machine's own. */
const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));

const letterView = (
  { id, kind, to_email, locale, sent_at }: Row,
  { subject = '', text = '' }: Partial<Draft>,
) => ({
  id,
  kind,
  to_email,
  locale,
  subject,
  text,
  sent_at: instantText(microsOf(sent_at as string)),
});

const none = () => problem('not_found', 'There is no box of letters here.');
