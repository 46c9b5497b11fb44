import { readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { openLogFile, openStandardOutput } from './log-file.ts';

it('drops lines while the disk is full, and later reports how many bytes', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'server.log');
  symlinkSync('/dev/full', path);
  const log = openLogFile(path, 1);
  log.write('lost\n');
  log.write(Buffer.from('lost too\n'));
  expect(log.tail()).toBe('lost\nlost too\n');

  renameSync(path, join(directory, 'full'));
  log.write('kept\n');
  log.write('kept too\n');
  const lossLine = '{"level":40,"event":"log_lost","bytes":14}';
  expect(readFileSync(path, 'utf8')).toBe(`\n${lossLine}\nkept\nkept too\n`);
});

it('keeps the current file and as many full files as configured', () => {
  const directory = join(temporaryDirectory(), 'logs');
  const log = openLogFile(join(directory, 'server.log'), 2, 4);
  for (const line of ['first', 'second', 'third', 'fourth']) log.write(line);
  const files = readdirSync(directory).map((name) => [
    name,
    readFileSync(join(directory, name), 'utf8'),
  ]);
  expect(files).toEqual([
    ['server.log', 'fourth'],
    ['server.log.1', 'third'],
    ['server.log.2', 'second'],
  ]);
});

it('writes to standard output instead, byte for byte, and remembers its end', () => {
  const written: unknown[] = [];
  const log = openStandardOutput({ write: (chunk: unknown) => written.push(chunk) > 0 });
  log.write('a line\n');
  log.write(Buffer.from('half of a li'));
  expect(written).toEqual(['a line\n', Buffer.from('half of a li')]);
  expect([log.path, log.tail()]).toEqual(['standard output', 'a line\nhalf of a li']);
});
