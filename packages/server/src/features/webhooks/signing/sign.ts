import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
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

export interface Signable {
  readonly event_id: string;
  readonly body: string;
}

/**
 * Signature headers of both schemes. `t` is the Unix time of this attempt in seconds. Standard Webhooks gets one
 * signature per secret. Receivers of `edge-signature` refuse more than one, so it gets the first secret's.
 */
export function signatureHeaders(
  { event_id, body }: Signable,
  secrets: readonly [string, ...string[]],
  t: number,
): Record<string, string> {
  const edgeHmac = createHmac('sha256', secrets[0]).update(edgeSignature.signedText(t, body));
  const signed = standardSignature.signedText(event_id, t, body);
  const standardSignatures = secrets.map((secret) =>
    standardSignature.format(
      createHmac('sha256', createSecretKey(secret, 'base64')).update(signed).digest('base64'),
    ),
  );
  return {
    [edgeSignature.header]: edgeSignature.format(t, edgeHmac.digest('hex')),
    [standardSignature.idHeader]: event_id,
    [standardSignature.timestampHeader]: String(t),
    [standardSignature.header]: standardSignatures.join(' '),
  };
}
