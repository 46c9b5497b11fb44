import assert from 'node:assert/strict';
import { findRawCard, hasRawCard } from '@florin/contract/card/scan.ts';
import { placeholders } from '@florin/contract/protocol/vault.ts';
import type {
  AuthenticateResult,
  AuthoriseInput,
  AuthoriseResult,
  InquireResult,
  Processor,
  ReverseResult,
  WireAnswer,
} from './processor.ts';

/** Real answers of a processor with what each means. Every listed kind must be there. */
export interface WireSamples {
  readonly authorise: Readonly<Record<'approved' | 'declined', readonly Sample<AuthoriseResult>[]>>;
  readonly authenticate: readonly Sample<AuthenticateResult>[];
  readonly inquire: Readonly<
    Record<'approved' | 'declined' | 'not_found', readonly Sample<InquireResult>[]>
  >;
  readonly reverse: readonly Sample<ReverseResult>[];
}

export interface Sample<Result> {
  readonly status: number;
  readonly body: unknown;
  readonly means: Result;
}

/** One named check, to be handed to the test runner. */
export interface ConformanceCase {
  readonly name: string;
  run(): void;
}

const answered = (status: number, body: unknown): WireAnswer => ({
  outcome: 'answered',
  status,
  body,
});

/** Answers that tell nothing about the money: what was sent may have been charged. */
const unclear: Readonly<Record<string, WireAnswer>> = {
  'a lost answer': { outcome: 'lost', why: 'timeout' },
  'a server error': answered(500, { error: 'oops' }),
  'a bad gateway': answered(502, '<html>Bad Gateway</html>'),
  'a server error that claims a decline': answered(503, {
    result: 'declined',
    response_code: '05',
  }),
  'too many requests': answered(429, {}),
  'an empty answer': answered(200, null),
  'an answer without members': answered(200, {}),
  'a list': answered(200, []),
  'members of the wrong kind': answered(200, { result: 7, status: null }),
};
const notSent: WireAnswer = { outcome: 'not_sent', why: 'connection_failed' };

const input: AuthoriseInput = {
  attempt_id: '0190f3c2-7b4e-7abc-8def-0123456789ab',
  amount: 2499,
  currency: 'USD',
  capture: true,
};

/** Everything that an adapter must do to be trusted with payments. */
export function conformanceCases(create: () => Processor, samples: WireSamples): ConformanceCase[] {
  const processor = create();
  return [
    ...requestCases(processor),
    ...sampleCases(processor, samples),
    ...unclearCases(processor),
    ...scrubCases(processor, samples),
  ];
}

function requestCases({ authorise, authenticate, inquire, reverse }: Processor): ConformanceCase[] {
  const requests = { authorise, authenticate, inquire, reverse };
  const each = Object.entries(requests).flatMap(([name, operation]) => {
    const make = () => operation.mapRequest(input);
    return [
      {
        name: `${name} carries the attempt's id and is the same message every time`,
        run() {
          assert.ok(JSON.stringify(make()).includes(input.attempt_id));
          assert.deepEqual(make(), make());
        },
      },
      {
        name: `${name} holds no card number and has a time limit`,
        run() {
          assert.equal(findRawCard(make().headers), undefined);
          assert.ok(make().timeout_ms > 0);
        },
      },
    ];
  });
  const named = (name: string, request: () => unknown, placeholder: string): ConformanceCase => ({
    name,
    run: () => assert.ok(JSON.stringify(request()).includes(`"${placeholder}"`)),
  });
  return [
    ...each,
    named(
      'authorise leaves the number to the vault',
      () => authorise.mapRequest(input).body,
      placeholders.pan,
    ),
    named(
      'authorise leaves the CVV to the vault',
      () => authorise.mapRequest(input).body,
      placeholders.cvv,
    ),
    named(
      'authenticate leaves the number to the vault',
      () => authenticate.mapRequest(input).body,
      placeholders.pan,
    ),
  ];
}

function sampleCases(processor: Processor, samples: WireSamples): ConformanceCase[] {
  const { authorise, inquire } = samples;
  const cases = <Result>(
    name: string,
    list: readonly Sample<Result>[],
    map: (answer: WireAnswer) => Result,
  ) => [
    { name: `${name} has samples`, run: () => assert.ok(list.length > 0) },
    ...list.map(({ status, body, means }, at) => ({
      name: `${name}, sample ${at + 1}`,
      run: () => assert.deepEqual(map(answered(status, body)), means),
    })),
  ];
  return [
    ...cases('an approval', authorise.approved, processor.authorise.mapAnswer),
    ...cases('a decline', authorise.declined, processor.authorise.mapAnswer),
    ...cases('an authentication', samples.authenticate, processor.authenticate.mapAnswer),
    ...cases('an inquiry that finds an approval', inquire.approved, processor.inquire.mapAnswer),
    ...cases('an inquiry that finds a decline', inquire.declined, processor.inquire.mapAnswer),
    ...cases('an inquiry that finds nothing', inquire.not_found, processor.inquire.mapAnswer),
    ...cases('a reversal', samples.reverse, processor.reverse.mapAnswer),
  ];
}

function unclearCases({ authorise, inquire, reverse, authenticate }: Processor): ConformanceCase[] {
  const money = { authorise, inquire, reverse };
  const means = (
    name: string,
    map: (answer: WireAnswer) => { result: string },
    answer: WireAnswer,
    result: string,
  ) => ({
    name,
    run: () => assert.equal(map(answer).result, result),
  });
  return [
    ...Object.entries(unclear).flatMap(([what, answer]) => [
      ...Object.entries(money).map(([name, { mapAnswer }]) =>
        means(`${what} to ${name} is unknown, not a decline`, mapAnswer, answer, 'unknown'),
      ),
      means(
        `${what} to authenticate is unavailable`,
        authenticate.mapAnswer,
        answer,
        'unavailable',
      ),
    ]),
    ...Object.entries(money).map(([name, { mapAnswer }]) =>
      means(`what never left for ${name} is not_sent`, mapAnswer, notSent, 'not_sent'),
    ),
    means(
      'what never left for authenticate is unavailable',
      authenticate.mapAnswer,
      notSent,
      'unavailable',
    ),
  ];
}

/** More digits in a row than a first six and a last four. */
const TOO_LONG = /\d{11}/;
const hostile = {
  echo: ['4111111111111111', 4111111111111111, '4111 1111 1111 1111'],
  '4111111111111111': 1,
};

function scrubCases({ scrub }: Processor, { authorise, inquire }: WireSamples): ConformanceCase[] {
  const bodies = [...Object.values(authorise), ...Object.values(inquire)]
    .flat()
    .map(({ body }) => body);
  return [...bodies, hostile].map((body, at) => ({
    name: `what is kept of body ${at + 1} has no more digits than a first six and a last four`,
    run() {
      const kept = JSON.stringify(scrub(body)) ?? '';
      assert.doesNotMatch(kept, TOO_LONG);
      assert.equal(hasRawCard(kept), false);
    },
  }));
}
