import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lastDoorPortsIn, lastPortIn, storeAddress, storeDoors } from './last-address.ts';

it('finds the ports of the last start, and none before the first one', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-address-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  expect(lastPortIn(dataDir)).toBe(0);
  storeAddress(dataDir, 'http://127.0.0.1:4100');
  expect(lastPortIn(dataDir)).toBe(4100);
  expect(lastDoorPortsIn(dataDir)).toEqual({});
  storeDoors(dataDir, { '/adyen': 'http://127.0.0.1:4101' });
  expect(lastDoorPortsIn(dataDir)).toEqual({ '/adyen': 4101 });
});
