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
  const maskNumber = pan === undefined ? (value: number) => value : createJsonNumberMask(pan);

  function scrubScalar(value: unknown, name: string): unknown {
    if (cvv !== undefined && CVV_VALUE.test(String(value)) && CVV_NAME.test(name)) return CVV_MASK;
    if (typeof value === 'string') return maskText(value);
    return typeof value === 'number' ? maskNumber(value) : value;
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
    ...(cvv === undefined ? [] : [maskCvvs]),
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

/**
 * Masks each number with the first six and last four digits of the card. A mask of the card alone would tell a server
 * which of its candidates in the text is the card. Matches may overlap: the middle of each is masked.
 */
function createNumberMask(pan: string): TextMask {
  let pattern: RegExp | undefined;
  return (text) => {
    if (text.length < pan.length || !CARD_DIGITS.test(text)) return text;
    pattern ??= alikePattern(pan);
    const characters = text.split('');
    for (const { index, 1: number = '' } of text.matchAll(pattern))
      for (const place of middlePlaces(number)) characters[index + place] = '*';
    return characters.join('');
  };
}

function alikePattern(pan: string): RegExp {
  const digits = [...pan].map((digit, place) => (isMiddle(place, pan.length) ? '\\d' : digit));
  return new RegExp(`(?=(${digits.join(SEPARATOR)}))`, 'g');
}

const isMiddle = (place: number, length: number): boolean => place >= 6 && place < length - 4;

/** Places of the digits between the first six and last four of a number with separators. */
function middlePlaces(number: string): number[] {
  const places = [...number.matchAll(new RegExp(`(?:${SEPARATOR})\\d`, 'g'))].map(
    ({ index, 0: digit }) => index + digit.length - 1,
  );
  return places.filter((_, digit) => isMiddle(digit, places.length));
}

/** Masks JSON numbers as texts are masked, whatever their last digits are if a parser has rounded them. */
function createJsonNumberMask(pan: string) {
  const maskText = createNumberMask(pan);
  const mask = maskText(pan);
  const bin = Number(pan.slice(0, 6));
  // Rounding may carry into the first six digits.
  const firstDigits = [String(bin), String(bin + 1)];
  return (value: number): number | string => {
    const text = String(value);
    const isRounded = text.length === pan.length && value > Number.MAX_SAFE_INTEGER;
    if (isRounded && firstDigits.some((digits) => text.startsWith(digits))) return mask;
    const maskedText = maskText(text);
    return maskedText === text ? value : maskedText;
  };
}

/** Any value of a code. A mask of the right one alone would tell a server which of its candidates it is. */
const CVV_VALUE = /^\d{3,4}$/;
const CVV_IN_TEXT = new RegExp(
  `(?<=(?:${CVV_NAME.source})${CVV_GAP})(?<!(?<!%[\\dA-F])\\d)\\d{3,4}(?!\\d)`,
  'gi',
);

/** Ids of processors, which may have a short name of a code and digits behind it by chance. */
const LONG_ID = /[\w-]{16,}/g;
const SHORT_NAME = /cv[cnv]|csc|cid/i;
const LONG_NAME = /security|validation|verification/i;

function maskCvvs(text: string): string {
  if (!CVV_NAME.test(text)) return text;
  const ids = [...text.matchAll(LONG_ID)].filter(([id]) => !LONG_NAME.test(id));
  const isInId = (place: number): boolean =>
    ids.some(
      ({ index, 0: id }) =>
        place < index + id.length && SHORT_NAME.test(text.slice(index, Math.max(index, place))),
    );
  return text.replace(CVV_IN_TEXT, (code, place: number) => (isInId(place) ? code : CVV_MASK));
}
