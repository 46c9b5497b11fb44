import { PAN_DIGITS_MIN } from '@florin/contract/card/card-number.ts';
import { isObject } from '../http/input.ts';
import { BODY_DEPTH_MAX } from './codecs/write-scalar.ts';
import { escapeXml } from './codecs/write-xml.ts';
import type { CardSecrets } from './secrets.ts';

const CVV_MASK = '***';
const SECRET_MASK = '***';
/**
 * Member names in which processors return verification values. In other members, three digits have another
 * meaning.
 */
const CVV_NAME = /cv[cnv]|csc|cid|security|validation|verification/i;
/** Characters between such a name and its value in a text, as in `<cvc a="b">`, `"cvc": "` and `cvc%5D=`. */
const CVV_GAP = '(?:[^<,{&]|&gt;|&quot;){0,24}?';
/** Separators in a card number, also as forms and XML write them. */
const SEPARATOR = '(?:[ .+\\u00a0-]|%20|%2[Dd]|&#(?:32|45|160);|&nbsp;)?';

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

  return scrubValue(answer, '', BODY_DEPTH_MAX);
}

/** Masks secrets and the card number wherever a text contains them, and verification values after their names. */
function createTextMask({ pan, cvv, cryptogram, credentials = [] }: ScrubbedSecrets) {
  const maskedTexts = [...credentials, ...(cryptogram ? [cryptogram] : [])].flatMap(writtenForms);
  maskedTexts.sort((one, other) => other.length - one.length);
  const maskers = [
    ...(pan === undefined ? [] : [createNumberMask(pan)]),
    ...(cvv === undefined ? [] : [createCvvMask(cvv)]),
  ];
  return (text: string): string => {
    const maskedText = maskedTexts.reduce((rest, one) => rest.replaceAll(one, SECRET_MASK), text);
    return maskers.reduce((rest, mask) => mask(rest), maskedText);
  };
}

/** Letters and digits that every format writes as they are. */
const PLAIN_TEXT = /^[\w.-]*$/;

/** A secret as JSON, XML and forms write it, and as base64. A response may quote a whole request in one text. */
function writtenForms(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  if (PLAIN_TEXT.test(secret)) return [secret, base64];
  const inXml = escapeXml(secret);
  const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inXml, inForm, encodeURIComponent(secret), inJson, base64])];
}

type TextMask = (text: string) => string;

/** Digits of any card number. Texts without them need no pattern of the number itself, which is slow to compile. */
const CARD_DIGITS = new RegExp(`\\d(?:${SEPARATOR}\\d){${PAN_DIGITS_MIN - 1}}`);

function createNumberMask(pan: string): TextMask {
  const mask = pan.slice(0, 6) + '*'.repeat(pan.length - 10) + pan.slice(-4);
  let pattern: RegExp | undefined;
  return (text) => {
    if (text.length < pan.length || !CARD_DIGITS.test(text)) return text;
    pattern ??= new RegExp([...pan].join(SEPARATOR), 'g');
    return text.replace(pattern, mask);
  };
}

function createCvvMask(cvv: string): TextMask {
  let pattern: RegExp | undefined;
  return (text) => {
    if (!text.includes(cvv)) return text;
    pattern ??= new RegExp(`((?:${CVV_NAME.source})${CVV_GAP})(?<!\\d)${cvv}(?!\\d)`, 'gi');
    return text.replace(pattern, `$1${CVV_MASK}`);
  };
}

/**
 * Whether a number contains the card number. Parsing rounds numbers of 17 digits or more, so equality counts
 * too.
 */
const containsNumber = (value: number, pan: string): boolean =>
  value === Number(pan) || String(value).includes(pan);
