import { isIP } from 'node:net';
import type { Environment } from '@florin/contract/variables.ts';

/** Addresses and networks of trusted proxies. Throws an `Error` with one sentence that names the variable. */
export function proxiesOf({ FLORIN_TRUSTED_PROXIES: value = '' }: Environment): string[] {
  const proxies = value
    .split(',')
    .map((proxy) => proxy.trim())
    .filter(Boolean);
  if (proxies.every(isNetwork)) return proxies;
  throw new Error(
    'FLORIN_TRUSTED_PROXIES must be addresses or networks, separated by commas, such as 10.0.0.0/8.',
  );
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...extraParts] = text.split('/');
  const bitsMax = { 4: 32, 6: 128 }[isIP(address)];
  if (bitsMax === undefined || extraParts.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
}
