import { edgeSignature, standardSignature } from '@florin/contract/protocol/webhook.ts';
import { headerOf, type WebhookHeaders } from './headers.ts';
import { fromBase64, fromHex } from './text.ts';
import { WebhookError } from './webhook-error.ts';

/** Signature of a request under one scheme. */
export interface Claim {
  readonly scheme: 'edge' | 'standard';
  /** Unix time of the delivery attempt, in seconds. */
  readonly t: number;
  /** Text before the body in the signed text. */
  readonly prefix: string;
  /** Candidate signatures: the request is accepted if any of them matches. */
  readonly signatures: readonly Uint8Array[];
}

const DECIMAL = /^\d{1,12}$/;
const SIGNATURE_BYTES = 32;
/** Above the number of signatures that a rotation of secrets produces. */
const SIGNATURES_MAX = 8;

/** Returns the claims of all schemes that signed a request. Throws without a signature or with a malformed one. */
export function readClaims(headers: WebhookHeaders): readonly Claim[] {
  const edge = headerOf(headers, edgeSignature.header);
  const standard = headerOf(headers, standardSignature.header);
  if (edge === undefined && standard === undefined) {
    throw new WebhookError(
      'header_missing',
      `Neither ${edgeSignature.header} nor ${standardSignature.header} is among the headers: the request is not from Florin, or a proxy dropped them.`,
    );
  }
  return [
    ...(edge === undefined ? [] : [parseEdgeClaim(edge)]),
    ...(standard === undefined ? [] : [readStandard(headers, standard)]),
  ];
}

/** Parses `t=1756742400,v3=04a0…`. Tokens of later schemes are ignored. */
function parseEdgeClaim(text: string): Claim {
  const tokens = text.split(',').map((token) => token.trim());
  const tokenNamed = (name: string): string => {
    const [match, ...otherMatches] = tokens.filter((token) => token.startsWith(`${name}=`));
    if (match !== undefined && otherMatches.length === 0) return match.slice(name.length + 1);
    throw createMalformedError(
      edgeSignature.header,
      `has ${match ? 'more than one' : 'no'} ${name}=`,
    );
  };
  const t = secondsOf(tokenNamed('t'), edgeSignature.header);
  const signature = fromHex(tokenNamed('v3'));
  if (signature?.length !== SIGNATURE_BYTES) {
    throw createMalformedError(
      edgeSignature.header,
      'has a v3= that is not 64 lower-case hex digits',
    );
  }
  return { scheme: 'edge', t, prefix: edgeSignature.signedText(t, ''), signatures: [signature] };
}

/** Parses a list of `v1,<base64>`. Signatures of other versions are ignored. */
function readStandard(headers: WebhookHeaders, text: string): Claim {
  const { header, idHeader, timestampHeader, signedText } = standardSignature;
  const requireHeader = (name: string): string => {
    const value = headerOf(headers, name);
    if (value !== undefined) return value;
    throw new WebhookError('header_missing', `The header ${name} is missing beside ${header}.`);
  };
  const t = secondsOf(requireHeader(timestampHeader), timestampHeader);
  const v1Tokens = text.split(' ').filter((token) => token.startsWith('v1,'));
  if (v1Tokens.length === 0 || v1Tokens.length > SIGNATURES_MAX) {
    throw createMalformedError(
      header,
      `has ${v1Tokens.length === 0 ? 'no' : 'too many'} v1 signatures`,
    );
  }
  const signatures = v1Tokens.map((token) => {
    const signature = fromBase64(token.slice('v1,'.length));
    if (signature?.length === SIGNATURE_BYTES) return signature;
    throw createMalformedError(header, 'has a v1 signature that is not 32 bytes of base64');
  });
  return { scheme: 'standard', t, prefix: signedText(requireHeader(idHeader), t, ''), signatures };
}

function secondsOf(text: string, header: string): number {
  if (DECIMAL.test(text)) return Number(text);
  throw createMalformedError(header, 'has a time that is not a decimal number');
}

const createMalformedError = (header: string, problem: string): WebhookError =>
  new WebhookError('header_malformed', `The header ${header} ${problem}.`);
