import { expect, it } from 'vitest';
import { renderSlowest } from './attribute.ts';
import type { Span } from './spans.ts';

const span = (kind: Span['kind'], name: string, start: number, end: number): Span => ({
  kind,
  name,
  start,
  end,
});

const CREATE = 'POST /v2/payment_demands';
const quickRequests = Array.from({ length: 9 }, (_, at) =>
  span('request', CREATE, 1_000 + at * 10, 1_005 + at * 10),
);

it('says with what the slowest requests overlap, and the others do not', () => {
  const spans = [
    span('request', CREATE, 100, 160),
    span('request', 'GET /v2/customers', 0, 900),
    ...quickRequests,
    // Overlapping spans of one name count once, and only during the request.
    span('statement', 'commit', 90, 140),
    span('statement', 'commit', 120, 150),
    span('event loop', 'blocked', 150, 158),
    span('statement', 'select 1', 170, 900),
    ...quickRequests.map(({ start }) => span('statement', 'commit', start, start + 2)),
  ];
  expect(renderSlowest(spans, (name) => name.startsWith('POST')).split('\n')).toEqual([
    '10 requests; the slowest 1: 60.0 ms; median 5.0 ms',
    '',
    'cause                ms of a slow request  ms of a median request  difference',
    'statement: commit                    50.0                     2.0        48.0',
    'event loop: blocked                   8.0                     0.0         8.0',
    '',
    'Causes overlap each other, so a column may add up to more than the whole request.',
    '',
    `60.0 ms ${CREATE}`,
    '    50.0 ms  statement: commit',
    '     8.0 ms  event loop: blocked',
  ]);
});
