import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { versionOf } from '../../../jsonapi/etag.ts';
import type { Signer } from '../../../platform/crypto/signer.ts';
import type { Row } from '../../../platform/database/row.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { PageForms } from '../pages/view.ts';

type HiddenInputs = PageForms['hidden'];

const signedText = (token: string, once: string): string => `page ${token} ${once}`;

/**
 * Hidden fields of a page's forms. Their signature proves that this server made the page for this
 * link.
 */
export function createHiddenFields(signer: Signer, token: string, subscription: Row): HiddenInputs {
  const once = randomUUID();
  const csrf = signer.sign(signedText(token, once));
  return { csrf, once, version: versionOf(subscription) ?? '' };
}

/**
 * Hidden fields of a submitted form. Undefined unless the signature and the browser's headers prove
 * that our page sent it.
 */
export function readHiddenFields(
  signer: Signer,
  token: string,
  request: FastifyRequest,
  origin: string,
): HiddenInputs | undefined {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const [csrf = '', once = '', version = ''] = ['csrf', 'once', 'version'].map((name) =>
    String(body[name] ?? ''),
  );
  if (!isUuid(once) || !signer.isSignatureOf(signedText(token, once), csrf)) return undefined;
  return isFromOurPage(request, origin) ? { csrf, once, version } : undefined;
}

/**
 * Whether our page sent a form. Pages without referrers send the origin `null`; then
 * `sec-fetch-site` decides.
 */
function isFromOurPage({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  const isOurs = [undefined, 'null', origin].includes(headers.origin);
  return isOurs && site === 'same-origin';
}
