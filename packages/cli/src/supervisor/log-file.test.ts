import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { openLogFile } from './log-file.ts';

it('drops lines while the disk is full, and later reports how many bytes', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'server.log');
  symlinkSync('/dev/full', path);
  const log = openLogFile(path);
  log.write('lost\n');
  log.write(Buffer.from('lost too\n'));
  expect(log.tail()).toBe('lost\nlost too\n');

  renameSync(path, join(directory, 'full'));
  log.write('kept\n');
  log.write('kept too\n');
  const lossLine = '{"level":40,"event":"log_lost","bytes":14}';
  expect(readFileSync(path, 'utf8')).toBe(`\n${lossLine}\nkept\nkept too\n`);
});
