import { createHash } from 'node:crypto';

const CONFIG = /<script type="application\/json" id="florin-config">([^<]*)<\/script>/g;

interface SealingKey {
  readonly crv?: unknown;
  readonly kty?: unknown;
  readonly x?: unknown;
  readonly y?: unknown;
}

/** Difference of a form that seals cards for a key other than those of `kids`, which are thumbprints of keys. */
export function findKeyDifferences(html: string, kids: readonly string[]): readonly string[] {
  const key = sealingKeyOf(html);
  if (!key) return ['it names no key, so give the address of a form of an open payment'];
  return kids.includes(thumbprintOf(key)) ? [] : ['it seals cards for a key that is not listed'];
}

/** The key in the configuration of a form; undefined unless there is exactly one. */
function sealingKeyOf(html: string): SealingKey | undefined {
  const [config, ...others] = [...html.matchAll(CONFIG)];
  if (!config || others.length > 0) return undefined;
  try {
    return (JSON.parse(config[1] ?? '') as { sealing_key?: SealingKey }).sealing_key;
  } catch {
    return undefined;
  }
}

/** Thumbprint of a key by RFC 7638. The `kid` beside the key may say anything. */
const thumbprintOf = ({ crv, kty, x, y }: SealingKey): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
