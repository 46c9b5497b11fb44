import { isObject } from '../http/input.ts';
import type { CardSecrets } from './secrets.ts';

/** Maximum nesting of a response; deeper recursion could exhaust the stack. */
const ANSWER_DEPTH_MAX = 32;
const CVV_MASK = '***';
const SECRET_MASK = '***';
/**
 * Member names in which processors return verification values. In other members, three digits have another
 * meaning.
 */
const CVV_NAME = /cv[cnv]|csc|cid|security/i;

/** Card data and credentials of a request, which its response must not contain. */
export interface ScrubbedSecrets extends CardSecrets {
  readonly credentials?: readonly string[];
}

/**
 * Copies a processor's response without card data. Masks cryptograms, credentials, and all but the first six and last
 * four digits of card numbers. Finds them in texts, with separators, in member names and as JSON numbers. Throws a
 * `RangeError` for a too deeply nested response.
 */
export function scrub(answer: unknown, secrets: ScrubbedSecrets): unknown {
  const { pan, cvv } = secrets;
  const maskText = createTextMask(secrets);

  function scrubScalar(value: unknown, name: string): unknown {
    if (cvv && String(value) === cvv && CVV_NAME.test(name)) return CVV_MASK;
    if (typeof value === 'string') return maskText(value);
    return typeof value === 'number' && pan && containsNumber(value, pan) ? maskText(pan) : value;
  }

  function scrubValue(value: unknown, name: string, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return scrubScalar(value, name);
    if (depth === 0) throw new RangeError('The answer is nested too deeply.');
    if (Array.isArray(value)) return value.map((item) => scrubValue(item, name, depth - 1));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([memberName, member]) => [
        maskText(memberName),
        scrubValue(member, memberName, depth - 1),
      ]),
    );
  }

  return scrubValue(answer, '', ANSWER_DEPTH_MAX);
}

/** Masks secrets and the card number wherever a text contains them. */
function createTextMask({ pan, cryptogram, credentials = [] }: ScrubbedSecrets) {
  const maskedTexts = [...credentials, ...(cryptogram ? [cryptogram] : [])];
  const maskSecrets = (text: string): string =>
    maskedTexts.reduce((maskedText, secret) => maskedText.replaceAll(secret, SECRET_MASK), text);
  if (pan === undefined) return maskSecrets;
  const pattern = new RegExp([...pan].join('[ .-]?'), 'g');
  const mask = pan.slice(0, 6) + '*'.repeat(pan.length - 10) + pan.slice(-4);
  return (text: string): string => maskSecrets(text).replace(pattern, mask);
}

/**
 * Whether a number contains the card number. Parsing rounds numbers of 17 digits or more, so equality counts
 * too.
 */
const containsNumber = (value: number, pan: string): boolean =>
  value === Number(pan) || String(value).includes(pan);
