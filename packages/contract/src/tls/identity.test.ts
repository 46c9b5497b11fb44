import { expect, it } from 'vitest';
import { readTlsIdentity, type TlsTools } from './identity.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nA\n-----END CERTIFICATE-----';
const files = {
  certificate: { variable: 'VAULT_TLS_CERT_FILE', path: '/tls/cert.pem' },
  key: { variable: 'VAULT_TLS_KEY_FILE', path: '/tls/key.pem' },
  authority: { variable: 'VAULT_TLS_CA_FILE', path: '/tls/ca.pem' },
};

const toolsOf = (entry: { uid: number; mode: number }, uid: number | undefined): TlsTools => ({
  readFile: () => PEM,
  entryOf: () => entry,
  uid,
  parseCertificate: () => ({
    validFrom: '2026-01-01',
    validTo: '2036-01-01',
    ca: true,
    subjectAltName: 'DNS:vault',
  }),
  isPair: () => true,
});

const codesOf = (entry: { uid: number; mode: number }, uid: number | undefined) =>
  readTlsIdentity(toolsOf(entry, uid), files, Date.parse('2026-06-01')).faults.map(
    ({ code }) => code,
  );

it.each<[string, { uid: number; mode: number }, number | undefined, string[]]>([
  ['of this user', { uid: 992, mode: 0o100600 }, 992, []],
  ['of another user', { uid: 991, mode: 0o100600 }, 992, ['key_of_another_user']],
  [
    'of root, which this user can read',
    { uid: 0, mode: 0o100644 },
    992,
    ['key_exposed', 'key_of_another_user'],
  ],
  ['of the group', { uid: 992, mode: 0o100640 }, 992, ['key_exposed']],
  ['of any user, where the system has no numbers', { uid: 0, mode: 0o100600 }, undefined, []],
])('a key %s', (_name, entry, uid, codes) => {
  expect(codesOf(entry, uid)).toEqual(codes);
});
