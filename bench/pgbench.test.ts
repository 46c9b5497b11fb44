import { expect, it } from 'vitest';
import { parseLatencies, parseRate } from './pgbench.ts';

const REPORT = `pgbench (18.4)
transaction type: payment.sql
number of transactions actually processed: 25201
latency average = 7.612 ms
initial connection time = 101.884 ms
tps = 8407.113051 (without initial connection time)
`;

it('reads the rate of a report', () => {
  expect(parseRate(REPORT)).toBe(8407.113051);
});

it('refuses a report without a rate', () => {
  expect(() => parseRate('pgbench: error: connection failed')).toThrow('connection failed');
});

it('reads latencies of a log in order, from the time when each transaction was due', () => {
  const log = '0 1 5000 0 1764448000 1000 2000\n3 9 1250 0 1764448000 1700 250\n';
  expect(parseLatencies(log)).toEqual([1.25, 5]);
});
