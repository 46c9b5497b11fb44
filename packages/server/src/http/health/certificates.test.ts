import { startUntrustedDatabase } from '@florin/dev-env/untrusted-database.ts';
import { expect, it } from 'vitest';
import { readExpiry } from '../../platform/crypto/certificate-expiry.ts';
import { certificatesOf } from './certificates.ts';

const addresses = { public_url: 'http://localhost:4000', pay_url: 'http://pay.localhost:4000' };

it('a database without TLS, and addresses without https, have no certificate', () => {
  const database_url = 'postgres://florin@h1,h2/florin';
  expect(certificatesOf({ ...addresses, database_url })).toEqual([]);
});

it('each host of a database has a certificate that can be read', async () => {
  await using first = await startUntrustedDatabase();
  await using second = await startUntrustedDatabase();
  const hosts = [first, second].map(({ url }) => new URL(url).host);
  const database_url = `postgres://florin@${hosts}/florin?sslmode=verify-full`;
  const owners = certificatesOf({ ...addresses, database_url });
  expect(owners.map(({ name }) => name)).toEqual(hosts.map((host) => `database ${host}`));
  const expiry = Date.parse('2049-01-01T00:00:00Z') * 1_000;
  expect(await Promise.all(owners.map((owner) => readExpiry(owner)))).toEqual([expiry, expiry]);
});
