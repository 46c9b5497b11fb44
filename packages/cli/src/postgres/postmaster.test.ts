import { describe, expect, it } from 'vitest';
import { isWorking, parsePostmaster } from './postmaster.ts';

const file = (status: string) =>
  ['4242', '/data/postgres', '1763694000', '5432', '/run/pg', '', '  786440  17', status, ''].join(
    '\n',
  );

describe('postmaster.pid', () => {
  it.each([
    ['a server that takes connections', file('ready   '), { pid: 4242, ready: true }],
    ['a server that still recovers', file('starting'), { pid: 4242, ready: false }],
    ['a file that has only its first line', '4242\n', { pid: 4242, ready: false }],
    ['a server that stops', file('stopping'), { pid: 4242, ready: false }],
    ['an empty file', '', undefined],
    ['something else', 'hello\nworld', undefined],
  ])('%s', (_name, text, expected) => {
    const parsed = parsePostmaster(text);
    expect(parsed && { pid: parsed.pid, ready: parsed.ready }).toEqual(expected);
  });

  it('says whether the server stops', () => {
    const statuses = ['stopping', 'ready', 'starting'];
    expect(statuses.map((status) => parsePostmaster(file(status))?.stopping)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('names the directory of the socket', () => {
    expect(parsePostmaster(file('ready'))?.socketDirectory).toBe('/run/pg');
  });
});

const STAYING = ['postgres: logger ', 'postgres: io worker 0', 'postgres: checkpointer '];

it.each([
  ['serves', 'postgres: walwriter ', true],
  ['serves under a name of its own', 'postgres: florin: walwriter ', true],
  ['recovers', 'postgres: startup recovering 000000010000000000000002', true],
  ['does neither', 'postgres: background writer ', false],
  ['answers a user of that name', 'psql -U walwriter', false],
])('a server that %s', (_name, command, expected) => {
  expect(isWorking([...STAYING, command])).toBe(expected);
});
