import { ProblemError } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { HEALTHY } from './breaker.ts';
import { checkSubscription, decideSubscription, withEventsOnce } from './rules.ts';

const CODE = 'transaction.payment_demands.succeeded';
const URL = 'https://shop.example/hook';
const NOW = Date.UTC(2026, 10, 21) * 1000;
const sandbox = { mode: 'sandbox', rules: 'sandbox' } as const;
const liveMode = { mode: 'live', rules: 'live' } as const;

function problemsOf(work: () => unknown): unknown[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) {
      return error.problems.map(({ code, source }) => [
        code,
        source && 'pointer' in source && source.pointer,
      ]);
    }
    throw error;
  }
  return [];
}

describe('a subscription', () => {
  it.each([
    ['every event of a payment', { events: [CODE, 'transaction.payment_demands.updated'] }, []],
    ['the mode of the key', { mode: 'sandbox' }, []],
    ['another mode', { mode: 'live' }, [['mode_mismatch', '/data/attributes/mode']]],
    ['its own machine', { url: 'http://localhost:3000/hook' }, []],
    ['a fragment', { url: `${URL}#top` }, [['url_not_allowed', '/data/attributes/url']]],
    [
      'no web address',
      { url: 'ftp://example.com/' },
      [['url_not_allowed', '/data/attributes/url']],
    ],
  ])('of the sandbox with %s has these problems', (_, attributes, problems) => {
    expect(problemsOf(() => checkSubscription(sandbox, attributes))).toEqual(problems);
  });

  it('gets all its problems in one response', () => {
    const attributes = { mode: 'sandbox', url: 'http://127.0.0.1/', events: [CODE] };
    expect(problemsOf(() => checkSubscription(liveMode, attributes))).toEqual([
      ['mode_mismatch', '/data/attributes/mode'],
      ['url_not_allowed', '/data/attributes/url'],
    ]);
  });
});

describe('if the sandbox has the rules of live mode', () => {
  const context = { mode: 'sandbox', rules: 'live' } as const;

  it.each(['http://localhost:3000/hook', 'https://10.0.0.1/', 'http://shop.example/'])(
    'a subscription may not use %s, and the error names the reason',
    (url) => {
      expect(() => checkSubscription(context, { url })).toThrow(/On this server the sandbox has/);
    },
  );

  it('a subscription may use an address in the public internet', () => {
    expect(problemsOf(() => checkSubscription(context, { url: URL, mode: 'sandbox' }))).toEqual([]);
  });
});

describe('an update', () => {
  const decide = (status: string, attributes: Record<string, unknown>, columns = attributes) =>
    decideSubscription(
      { status, url: URL },
      sandbox,
      { attributes },
      columns as Record<string, string>,
      NOW,
    );

  it.each([
    ['active', 'active', undefined, {}],
    ['active', 'paused', 'pause', { paused_reason: 'merchant' }],
    ['paused', 'paused', undefined, {}],
    ['paused', 'active', 'resume', { paused_reason: null, backlog_stopped_at: null, ...HEALTHY }],
  ])(
    'of an %s subscription to %s has the trigger %s and sets the other attributes',
    (from, status, trigger, setColumns) => {
      const decision = decide(from, { status, description: 'for the shop' });
      expect(decision.trigger).toBe(trigger);
      expect(decision.set).toEqual({ description: 'for the shop', ...setColumns });
    },
  );

  it('of the address resets the known health of the endpoint', () => {
    const url = 'https://shop.example/new';
    expect(decide('active', { url }).set).toEqual({ url, ...HEALTHY });
    expect(decide('active', { url: URL }).set).toEqual({ url: URL });
  });

  it('without a status changes only the given attributes', () => {
    expect(decide('active', { events: [CODE] }, { events: `["${CODE}"]` })).toEqual({
      set: { events: `["${CODE}"]` },
      events: [],
    });
  });

  it('never moves a subscription to another mode', () => {
    expect(decide('active', { mode: 'sandbox' }).set).toEqual({});
    expect(problemsOf(() => decide('active', { mode: 'live' }))).toHaveLength(1);
  });

  it.each(['active', 'paused'])(
    'archives an %s subscription and ignores other attributes',
    (from) => {
      expect(decide(from, { status: 'archived', events: ['nonsense'], url: 'x' })).toEqual({
        trigger: 'archive',
        set: {
          archived_at: '2026-11-21T00:00:00.000000Z',
          paused_reason: null,
          suspended_until: null,
        },
        events: [],
      });
    },
  );

  it('does not archive twice', () => {
    expect(problemsOf(() => decide('archived', { status: 'archived' }))).toEqual([
      ['already_archived', '/data/attributes/status'],
    ]);
  });

  it.each([{ status: 'active' }, { status: 'paused' }, { description: 'for the shop' }])(
    'refuses %j on an archived subscription',
    (attributes) => {
      expect(problemsOf(() => decide('archived', attributes))).toEqual([['immutable', '/data']]);
    },
  );
});

it('each event code is stored once, at its first position', () => {
  const events = JSON.stringify(['b', 'a', 'b', 'a']);
  expect(withEventsOnce({ url: URL, events })).toEqual({ url: URL, events: '["b","a"]' });
  expect(withEventsOnce({ url: URL })).toEqual({ url: URL });
});
