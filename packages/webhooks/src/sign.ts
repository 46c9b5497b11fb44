import { edgeSignature, standardSignature } from '@florin/contract/protocol/webhook.ts';
import { signatureOf } from './hmac.ts';
import { toBase64, toHex, utf8 } from './text.ts';

export interface SignOptions {
  /** Id of the event, as in the body. */
  readonly id: string;
  /** Time of the signature. Default: now. */
  readonly now?: Date;
}

/** Creates the headers that Florin would send with a body, for tests of a receiver. */
export async function sign(
  body: string,
  secret: string,
  { id, now = new Date() }: SignOptions,
): Promise<Record<string, string>> {
  const t = Math.floor(now.getTime() / 1000);
  const bytes = utf8(body);
  const edge = await signatureOf('edge', edgeSignature.signedText(t, ''), bytes, secret);
  const standard = await signatureOf(
    'standard',
    standardSignature.signedText(id, t, ''),
    bytes,
    secret,
  );
  return {
    ...(edge && { [edgeSignature.header]: edgeSignature.format(t, toHex(edge)) }),
    ...(standard && {
      [standardSignature.idHeader]: id,
      [standardSignature.timestampHeader]: String(t),
      [standardSignature.header]: standardSignature.format(toBase64(standard)),
    }),
  };
}
