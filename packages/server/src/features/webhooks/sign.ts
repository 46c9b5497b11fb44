import { createHmac, randomBytes } from 'node:crypto';
import { edgeSignature, standardSignature } from '@florin/contract/protocol/webhook.ts';

const SECRET_BYTES = 32;

/**
 * A new `secret_key`: 32 random bytes as unpadded base64url. Secrets with `-` or `_` are drawn again,
 * which costs two bits, so that the same text is base64 as well: `edge-signature` takes the text as
 * its key, a Standard Webhooks library decodes it. Libraries that insist on padding need one `=`.
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
 * Headers of both schemes, `t` being the Unix time of this attempt in seconds. Standard Webhooks takes a signature of
 * each secret; of `edge-signature` receivers refuse more than one, which is of the first secret.
 */
export function signatureHeaders(
  { event_id, body }: Signable,
  secrets: readonly [string, ...string[]],
  t: number,
): Record<string, string> {
  const edge = createHmac('sha256', secrets[0]).update(edgeSignature.signedText(t, body));
  const signed = standardSignature.signedText(event_id, t, body);
  const standard = secrets.map((secret) =>
    standardSignature.format(
      createHmac('sha256', Buffer.from(secret, 'base64')).update(signed).digest('base64'),
    ),
  );
  return {
    [edgeSignature.header]: edgeSignature.format(t, edge.digest('hex')),
    [standardSignature.idHeader]: event_id,
    [standardSignature.timestampHeader]: String(t),
    [standardSignature.header]: standard.join(' '),
  };
}
