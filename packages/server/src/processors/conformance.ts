import assert from 'node:assert/strict';
import { findRawCard } from '@florin/contract/card/scan.ts';
import type { CardField } from '@florin/contract/protocol/vault.ts';
import type { AuthenticateResult } from './directory.ts';
import type { CardRequest, WireAnswer } from './message.ts';
import type {
  AuthoriseInput,
  AuthoriseResult,
  FollowUpInput,
  FollowUpResult,
  InquireFollowUpResult,
  InquireResult,
  Processor,
  ReverseResult,
} from './processor.ts';

/** Recorded responses of a processor with their expected results. Each listed kind needs a sample. */
export interface WireSamples {
  readonly authorise: Readonly<Record<'approved' | 'declined', readonly Sample<AuthoriseResult>[]>>;
  readonly authenticate: readonly Sample<AuthenticateResult>[];
  readonly inquire: Readonly<
    Record<'approved' | 'declined' | 'not_found', readonly Sample<InquireResult>[]>
  >;
  readonly reverse: readonly Sample<ReverseResult>[];
  readonly refund: FollowUpSamples;
  readonly capture: FollowUpSamples;
}

interface FollowUpSamples {
  readonly approved: readonly Sample<FollowUpResult>[];
  readonly declined: readonly Sample<FollowUpResult>[];
  readonly not_found: readonly Sample<InquireFollowUpResult>[];
}

export interface Sample<Result> {
  readonly status: number;
  readonly body: unknown;
  readonly meaning: Result;
}

/** One named check for the test runner. */
export interface ConformanceCase {
  readonly name: string;
  run(): void;
}

const httpAnswer = (status: number, body: unknown): WireAnswer => ({
  outcome: 'answered',
  status,
  body,
});

/** Responses that leave the outcome unknown: the processor may have approved the payment. */
const unclearAnswers: Readonly<Record<string, WireAnswer>> = {
  'a lost answer': { outcome: 'lost', why: 'timeout' },
  'a server error': httpAnswer(500, { error: 'oops' }),
  'a bad gateway': httpAnswer(502, '<html>Bad Gateway</html>'),
  'a server error that claims a decline': httpAnswer(503, {
    result: 'declined',
    response_code: '05',
  }),
  'too many requests': httpAnswer(429, {}),
  'an empty answer': httpAnswer(200, null),
  'an answer without members': httpAnswer(200, {}),
  'a list': httpAnswer(200, []),
  'members of the wrong kind': httpAnswer(200, { result: 7, status: null }),
};
const notSentAnswer: WireAnswer = { outcome: 'not_sent', why: 'connection_failed' };

const input: AuthoriseInput & FollowUpInput = {
  attempt_id: '0190f3c2-7b4e-7abc-8def-0123456789ab',
  demand_id: '0190f3c2-7b4e-7abc-8def-ba9876543210',
  amount: 2499,
  currency: 'USD',
  capture: true,
};

/** All checks that an adapter must pass before it may process payments. */
export function conformanceCases(create: () => Processor, samples: WireSamples): ConformanceCase[] {
  const processor = create();
  return [
    ...requestCases(processor),
    ...cardCases(processor),
    ...sampleCases(processor, samples),
    ...unclearCases(processor),
    ...hostileCases(processor, samples),
    ...strayCases(processor, samples),
    ...merchantInitiatedCases(processor),
  ];
}

function requestCases(processor: Processor): ConformanceCase[] {
  const { authorise, authenticate, inquire, reverse, refund, capture } = processor;
  const { attempt_id, demand_id } = input;
  const requests = [
    ['authorise', authorise, [attempt_id]],
    ['authenticate', authenticate, [attempt_id]],
    ['inquire', inquire, [attempt_id]],
    ['reverse', reverse, [attempt_id]],
    ['refund', refund.send, [attempt_id, demand_id]],
    ['inquireRefund', refund.inquire, [demand_id]],
    ['capture', capture.send, [attempt_id, demand_id]],
    ['inquireCapture', capture.inquire, [demand_id]],
  ] as const;
  return requests.flatMap(([name, operation, ids]) => {
    const mapInput = () => operation.mapRequest(input);
    return [
      {
        name: `${name} contains its ids and is the same message every time`,
        run() {
          for (const id of ids) assert.ok(JSON.stringify(mapInput()).includes(id));
          assert.deepEqual(mapInput(), mapInput());
        },
      },
      {
        name: `${name} holds no card number and has a time limit`,
        run() {
          assert.equal(findRawCard(mapInput().headers), undefined);
          assert.ok(mapInput().timeout_ms > 0);
        },
      },
    ];
  });
}

/** Merchant texts that look like placeholders or code and must be sent unchanged. */
const hostileTexts = ['{{card.pan}}', 'pan', '/card/number', 'null', '"', '__proto__', 'café 你好'];

const createInputWith = (text: string): AuthoriseInput => ({
  ...input,
  attempt_id: text,
  authentication: {
    version: text,
    status: text,
    eci: text,
    cryptogram: text,
    directory_transaction_eid: text,
  },
});

/** Member of a body at a JSON Pointer without escapes. */
const memberAt = (body: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], body);

const fieldsOf = ({ card_fields }: CardRequest): readonly CardField[] => Object.values(card_fields);

function cardCases({ authorise, authenticate }: Processor): ConformanceCase[] {
  const requiredFields: Readonly<Record<string, readonly CardField[]>> = {
    authorise: ['pan', 'cvv', 'expiry_month', 'expiry_year'],
    authenticate: ['pan', 'expiry_month', 'expiry_year'],
  };
  return Object.entries({ authorise, authenticate }).flatMap(([name, { mapRequest }]) => [
    {
      name: `${name} leaves null in every card field, which the vault fills in`,
      run() {
        const request = mapRequest(input);
        assert.deepEqual(fieldsOf(request).toSorted(), requiredFields[name]?.toSorted());
        for (const pointer of Object.keys(request.card_fields)) {
          assert.equal(memberAt(request.body, pointer), null);
        }
      },
    },
    ...hostileTexts.map((text) => ({
      name: `${name} sends the text ${text} unchanged, and never as a card field`,
      run: () =>
        assertSameButFor(
          mapRequest(createInputWith(MARK)),
          mapRequest(createInputWith(text)),
          text,
        ),
    })),
  ]);
}

const MARK = 'a-text-that-stands-nowhere-else';

function assertSameButFor(markedRequest: CardRequest, request: CardRequest, text: string): void {
  assert.deepEqual(request.card_fields, markedRequest.card_fields);
  const expected = JSON.stringify(markedRequest.body).replaceAll(MARK, () =>
    JSON.stringify(text).slice(1, -1),
  );
  assert.equal(JSON.stringify(request.body), expected);
}

function sampleCases(processor: Processor, samples: WireSamples): ConformanceCase[] {
  const { authorise, inquire } = samples;
  const casesOf = <Result>(
    name: string,
    list: readonly Sample<Result>[],
    map: (answer: WireAnswer) => Result,
  ) => [
    { name: `${name} has samples`, run: () => assert.ok(list.length > 0) },
    ...list.map(({ status, body, meaning }, index) => ({
      name: `${name}, sample ${index + 1}`,
      run: () => assert.deepEqual(map(httpAnswer(status, body)), meaning),
    })),
  ];
  return [
    ...casesOf('an approval', authorise.approved, processor.authorise.mapAnswer),
    ...casesOf('a decline', authorise.declined, processor.authorise.mapAnswer),
    ...casesOf('an authentication', samples.authenticate, processor.authenticate.mapAnswer),
    ...casesOf('an inquiry that finds an approval', inquire.approved, processor.inquire.mapAnswer),
    ...casesOf('an inquiry that finds a decline', inquire.declined, processor.inquire.mapAnswer),
    ...casesOf('an inquiry that finds nothing', inquire.not_found, processor.inquire.mapAnswer),
    ...casesOf('a reversal', samples.reverse, processor.reverse.mapAnswer),
    ...(['refund', 'capture'] as const).flatMap((kind) => {
      const { send, inquire } = processor[kind];
      const { approved, declined, not_found } = samples[kind];
      return [
        ...casesOf(`an approved ${kind}`, approved, send.mapAnswer),
        ...casesOf(`a declined ${kind}`, declined, send.mapAnswer),
        ...Object.entries({ approved, declined, not_found }).flatMap(([situation, list]) =>
          casesOf(`an inquiry about a ${kind}: ${situation}`, list, inquire.mapAnswer),
        ),
      ];
    }),
  ];
}

function unclearCases(processor: Processor): ConformanceCase[] {
  const { authorise, inquire, reverse, refund, capture, authenticate } = processor;
  const moneyOperations = {
    authorise,
    inquire,
    reverse,
    refund: refund.send,
    inquireRefund: refund.inquire,
    capture: capture.send,
    inquireCapture: capture.inquire,
  };
  const expectMeaning = (
    name: string,
    map: (answer: WireAnswer) => { result: string },
    answer: WireAnswer,
    result: string,
  ) => ({
    name,
    run: () => assert.equal(map(answer).result, result),
  });
  return [
    ...Object.entries(unclearAnswers).flatMap(([situation, answer]) => [
      ...Object.entries(moneyOperations).map(([name, { mapAnswer }]) =>
        expectMeaning(
          `${situation} to ${name} is unknown, not a decline`,
          mapAnswer,
          answer,
          'unknown',
        ),
      ),
      expectMeaning(
        `${situation} to authenticate is unavailable`,
        authenticate.mapAnswer,
        answer,
        'unavailable',
      ),
    ]),
    ...Object.entries(moneyOperations).map(([name, { mapAnswer }]) =>
      expectMeaning(
        `an unsent message to ${name} is not_sent`,
        mapAnswer,
        notSentAnswer,
        'not_sent',
      ),
    ),
    expectMeaning(
      'an unsent message to authenticate is unavailable',
      authenticate.mapAnswer,
      notSentAnswer,
      'unavailable',
    ),
  ];
}

/** Member names and values that no network sends. */
const hostileValues = [
  'constructor',
  '__proto__',
  ['05'],
  7,
  true,
  { toString: 1 },
  '\0',
  'x'.repeat(5_000),
];

/** Whether text can be stored: short, and without NUL, which PostgreSQL refuses. */
const isStorable = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.length <= 128 && !value.includes('\0'));

function hostileCases(processor: Processor, samples: WireSamples): ConformanceCase[] {
  const casesWith = <Result extends { result: string }>(
    name: string,
    { status, body, meaning }: Sample<Result>,
    map: (answer: WireAnswer) => Result,
    allowedResult: string,
  ): ConformanceCase[] =>
    Object.keys(body as object).map((member) => ({
      name: `${name} keeps its result or is ${allowedResult} for every value of ${member}`,
      run() {
        for (const value of hostileValues) {
          const mappedResult = map(httpAnswer(status, { ...(body as object), [member]: value }));
          assert.ok([meaning.result, allowedResult].includes(mappedResult.result));
          for (const text of Object.values(mappedResult)) assert.ok(isStorable(text), String(text));
        }
      },
    }));
  const { authorise, authenticate } = processor;
  return [
    ...samples.authorise.approved.flatMap((sample) =>
      casesWith('an approval', sample, authorise.mapAnswer, 'unknown'),
    ),
    ...samples.authorise.declined.flatMap((sample) =>
      casesWith('a decline', sample, authorise.mapAnswer, 'unknown'),
    ),
    ...(['refund', 'capture'] as const).flatMap((kind) =>
      [...samples[kind].approved, ...samples[kind].declined].flatMap((sample) => {
        const { mapAnswer } = processor[kind].send;
        return casesWith(
          `a ${kind} that is ${sample.meaning.result}`,
          sample,
          mapAnswer,
          'unknown',
        );
      }),
    ),
    ...samples.authenticate.flatMap((sample) =>
      casesWith('an authentication', sample, authenticate.mapAnswer, 'unavailable'),
    ),
  ];
}

/** Cases in which a network sends a valid response to a different message. */
function strayCases(processor: Processor, samples: WireSamples): ConformanceCase[] {
  const { authorise, inquire, reverse, refund, capture } = processor;
  const casesWithStray = <Result extends { result: string }>(
    name: string,
    [sample]: readonly Sample<Result>[],
    map: (answer: WireAnswer, expected: string) => Result,
  ): ConformanceCase => ({
    name: `${name} of another message is unknown`,
    run() {
      const { status, body } = sample as Sample<Result>;
      assert.equal(map(httpAnswer(status, body), MARK).result, 'unknown');
    },
  });
  return [
    casesWithStray('an approval', samples.authorise.approved, authorise.mapAnswer),
    casesWithStray('a decline', samples.authorise.declined, authorise.mapAnswer),
    casesWithStray('an approval that is found', samples.inquire.approved, inquire.mapAnswer),
    casesWithStray('a reversal', samples.reverse, reverse.mapAnswer),
    casesWithStray('a refund', samples.refund.approved, refund.send.mapAnswer),
    casesWithStray('a refund that is found', samples.refund.approved, refund.inquire.mapAnswer),
    casesWithStray('a capture', samples.capture.approved, capture.send.mapAnswer),
    casesWithStray('a capture that is found', samples.capture.approved, capture.inquire.mapAnswer),
  ];
}

/** Cases of merchant-initiated charges, which have no verification value and no authentication. */
function merchantInitiatedCases({ authorise }: Processor): ConformanceCase[] {
  const { authentication } = createInputWith(MARK);
  const initiated_by_merchant = { network_transaction_id: '012345678901234' };
  const mapCharge = () =>
    authorise.mapRequest({
      ...input,
      ...(authentication && { authentication }),
      initiated_by_merchant,
    });
  return [
    {
      name: 'a merchant-initiated charge names the first approval, and needs neither verification value nor authentication',
      run() {
        const request = mapCharge();
        const text = JSON.stringify(request.body);
        assert.ok(text.includes(initiated_by_merchant.network_transaction_id));
        assert.ok(!text.includes(MARK));
        assert.ok(!fieldsOf(request).includes('cvv'));
      },
    },
  ];
}
