import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unixSocket } from './socket.ts';

test('a socket without a usable directory names the directory, and who creates it', async () => {
  const place = mkdtempSync(join(tmpdir(), 'socket-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const directory = join(place, 'file');
  writeFileSync(directory, '');
  const path = join(directory, 'vault.sock');
  await expect(unixSocket(path, 'group')(() => undefined)).rejects.toThrow(
    `The vault cannot listen at ${path} (EEXIST). Create the directory ${directory} as root, for the user of the vault`,
  );
});
