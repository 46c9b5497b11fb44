import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, writeTlsFiles } from '@florin/dev-env/certificates.ts';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../platform/database/db.ts';
import { createLogger } from '../../../platform/logger.ts';
import { readPeerFacts } from './peers.ts';

it('a certificate of this host that has expired is a finding, and hides no other', async () => {
  const authority = createAuthority();
  const issued = authority.issue(['florin-server'], { notAfter: new Date('2021-01-01') });
  const tls = writeTlsFiles(mkdtempSync(join(tmpdir(), 'peers-')), issued, authority);
  await using db = openDatabase({
    url: testPostgresUrl(),
    connections_max: 1,
    statement_timeout_ms: 5_000,
  });
  const facts = await readPeerFacts(db, {
    vaults: { addresses: [{ kind: 'tls', host: '127.0.0.1', port: 1 }], tls },
    logger: createLogger('silent'),
  });
  expect(facts).toEqual({
    vault_notes: [expect.stringMatching(/^A certificate of certificate expired on 2021-01-01\./)],
    clock_notes: [],
    certificates: [],
  });
});
