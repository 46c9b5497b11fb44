import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { edgeSignature, standardSignature } from '@florin/contract/protocol/webhook.ts';

const SECRET_BYTES = 32;

/**
 * Makes a `secret_key`: 32 random bytes as unpadded base64url without `-` and `_`, which costs two bits. The text is
 * therefore valid base64 too. `edge-signature` uses the text as key; Standard Webhooks libraries decode it, some after
 * adding one `=`.
 */
export function makeWebhookSecret(): string {
  for (;;) {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    if (!/[-_]/.test(secret)) return secret;
  }
}

/** A secret as the keys of both schemes. */
export interface SigningKey {
  readonly edge: KeyObject;
  readonly standard: KeyObject;
}

/** Node takes twice as long to sign with a secret as text. */
export const signingKeyOf = (secret: string): SigningKey => ({
  edge: createSecretKey(secret, 'utf8'),
  standard: createSecretKey(secret, 'base64'),
});

export interface Signable {
  readonly event_id: string;
  readonly body: string;
}

/**
 * Signature headers of both schemes. `t` is the Unix time of this attempt in seconds. Standard Webhooks gets one
 * signature per key. Receivers of `edge-signature` refuse more than one, so it gets the first key's.
 */
export function signatureHeaders(
  { event_id, body }: Signable,
  keys: readonly [SigningKey, ...SigningKey[]],
  t: number,
): Record<string, string> {
  const edgeHmac = createHmac('sha256', keys[0].edge).update(edgeSignature.signedText(t, body));
  const signed = standardSignature.signedText(event_id, t, body);
  const standardSignatures = keys.map(({ standard }) =>
    standardSignature.format(createHmac('sha256', standard).update(signed).digest('base64')),
  );
  return {
    [edgeSignature.header]: edgeSignature.format(t, edgeHmac.digest('hex')),
    [standardSignature.idHeader]: event_id,
    [standardSignature.timestampHeader]: String(t),
    [standardSignature.header]: standardSignatures.join(' '),
  };
}
