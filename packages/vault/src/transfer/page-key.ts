import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { aadOf, KEY_BYTES, openBytes, sealBytes } from '../keys/aead.ts';

const INFO = 'florin card transfer 1';
const toPublic = (spki: string): KeyObject =>
  createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });

/** A new one-time key pair: the private half as PKCS #8, the public one as SPKI in base64. */
export function createImportKey(): { readonly private_key: Buffer; readonly public_key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  return {
    private_key: privateKey.export({ format: 'der', type: 'pkcs8' }),
    public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

function sharedKey(privateKey: KeyObject, publicKey: KeyObject, import_id: string): Buffer {
  const secret = diffieHellman({ privateKey, publicKey });
  const key = Buffer.from(hkdfSync('sha256', secret, import_id, INFO, KEY_BYTES));
  secret.fill(0);
  return key;
}

/** Place of a page, which its encryption binds. */
export interface PagePlace {
  readonly import_id: string;
  readonly merchant_id: string;
  readonly number: number;
}

const bindingOf = ({ import_id, merchant_id, number }: PagePlace): Buffer =>
  aadOf('card-page', import_id, merchant_id, String(number));

/** Seals a page for the import key, with a new key of its own. Returns one word. */
export function sealPage(place: PagePlace, public_key: string, page: Buffer): string {
  const own = generateKeyPairSync('x25519');
  const key = sharedKey(own.privateKey, toPublic(public_key), place.import_id);
  const ephemeral = own.publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
  const sealed = sealBytes(key, page, bindingOf(place)).toString('base64url');
  key.fill(0);
  return `${place.number}.${ephemeral}.${sealed}`;
}

/** Opens a page. Throws if place or key differ from those of the sealing. */
export function openPage(place: PagePlace, private_key: Buffer, text: string): Buffer {
  const [, ephemeral = '', sealed = ''] = text.split('.');
  const privateKey = createPrivateKey({ key: private_key, format: 'der', type: 'pkcs8' });
  const publicKey = toPublic(Buffer.from(ephemeral, 'base64url').toString('base64'));
  const key = sharedKey(privateKey, publicKey, place.import_id);
  try {
    return openBytes(key, Buffer.from(sealed, 'base64url'), bindingOf(place));
  } finally {
    key.fill(0);
  }
}

/** Number of a sealed page. */
export const pageNumberOf = (text: string): number => Number(text.split('.')[0]);
