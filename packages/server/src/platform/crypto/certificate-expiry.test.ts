import { startUntrustedDatabase } from '@florin/dev-env/untrusted-database.ts';
import { expect, it } from 'vitest';
import { readExpiry } from './certificate-expiry.ts';

it('reads when the certificate of a database expires, even if nobody trusts it', async () => {
  await using database = await startUntrustedDatabase();
  const expiry = await readExpiry({ name: 'database', url: database.url });
  expect(expiry).toBe(Date.parse('2049-01-01T00:00:00Z') * 1_000);
});

it('fails where nothing listens', async () => {
  const url = 'https://127.0.0.1:1';
  await expect(readExpiry({ name: 'public_url', url })).rejects.toThrow('ECONNREFUSED');
});
