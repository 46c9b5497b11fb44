import type { IncomingHttpHeaders } from 'node:http';
import {
  findRawCard,
  findRawCardInQuery,
  hasRawCard,
  hasRawCardInPath,
} from '@florin/contract/card/scan.ts';
import { type ErrorSource, type ProblemError, problem } from '@florin/contract/errors.ts';

const DETAIL =
  'The request contains a card number or security code, and was not read further. Use the browser SDK, which encrypts cards for the vault.';

const META = { hint: 'In the sandbox, use a test token such as pan_test_visa.' };

const refusalAt = (source?: ErrorSource): ProblemError =>
  problem('raw_card_data_forbidden', DETAIL, source, { meta: META });

/** Refuses a request with a card number in its URL or a header, before anything is logged. */
export function refuseRawCardInHead(url: string, headers: IncomingHttpHeaders): void {
  const [path = '', ...queries] = url.split('?');
  if (hasRawCardInPath(path)) throw refusalAt();
  const cardSource = findRawCardInQuery(queries.join('?'));
  if (cardSource) throw refusalAt(cardSource);
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'authorization' && value !== undefined && hasRawCard(String(value))) {
      throw refusalAt({ header: name });
    }
  }
}

/**
 * A member name of card data, or an escape that could hide one. Only then is the body parsed for the exact
 * check.
 */
const SUSPICIOUS = /\\u|"(?:pan|pin|cid|cvv|cvc|card[ _-]?n|security[ _-]?c|track)/i;

/** Refuses a body, parsed or not, that contains a card number or a member named like card data. */
export function refuseRawCardInBody(body: unknown): void {
  const cardSource = Buffer.isBuffer(body) ? findRawCardInBytes(body) : findRawCard(body);
  if (cardSource) throw refusalAt(cardSource);
}

function findRawCardInBytes(body: Buffer): ErrorSource | undefined {
  const text = body.toString('utf8');
  if (!hasRawCard(text) && !SUSPICIOUS.test(text)) return undefined;
  return findRawCard(parseJsonOrText(text));
}

/** A body that is not JSON is checked as one text. */
function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
