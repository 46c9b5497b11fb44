import assert from 'node:assert/strict';
import { findRawCard } from '@florin/contract/card/scan.ts';
import { memberAt } from '@florin/contract/protocol/json-pointer.ts';
import type { CardField } from '@florin/contract/protocol/vault.ts';
import { egressCases } from './conformance-egress.ts';
import { type ConformanceCase, MARKER_TEXT, type TestedProcessor } from './conformance-input.ts';
import { keyCases } from './conformance-keys.ts';
import { networkTokenCases } from './conformance-network-tokens.ts';
import {
  createHttpAnswer,
  notSentAnswer,
  type Sample,
  sentSamplesOf,
  unclearAnswers,
  type WireSamples,
} from './conformance-samples.ts';
import { strayCases } from './conformance-stray.ts';
import type { CardRequest, WireAnswer } from './message.ts';
import type { AuthoriseInput, FollowUpInput } from './processor.ts';

const exampleInput = {
  attempt_id: '0190f3c2-7b4e-7abc-8def-0123456789ab',
  demand_id: '0190f3c2-7b4e-7abc-8def-ba9876543210',
  amount: 2499,
  currency: 'USD',
  capture: true,
  idempotency_key: 'Zk3m1o0aR7y2',
  processor_reference: 'PSP7XK2MVQ',
} as const satisfies AuthoriseInput & FollowUpInput;

/** All checks that an adapter must pass before it may process payments. */
export function conformanceCases(
  createProcessor: () => TestedProcessor,
  samples: WireSamples,
): ConformanceCase[] {
  const processor = createProcessor();
  const { processor_reference = exampleInput.processor_reference } = samples;
  const input = { ...exampleInput, processor_reference };
  return [
    ...requestCases(processor, input),
    ...cardCases(processor),
    ...sampleCases(processor, samples),
    ...unclearCases(processor),
    ...hostileCases(processor, samples),
    ...strayCases(processor, samples),
    ...merchantInitiatedCases(processor),
    ...networkTokenCases(processor, input),
    ...egressCases(processor, input),
    ...keyCases(processor, samples),
  ];
}

function requestCases(
  processor: TestedProcessor,
  input: AuthoriseInput & FollowUpInput,
): ConformanceCase[] {
  const { authorise, authenticate, inquire, reverse, refund, capture } = processor;
  const { attempt_id, demand_id, processor_reference = '' } = input;
  // An inquiry or reversal may name the payment by the processor's reference instead of our id.
  const requests = [
    ['authorise', authorise, [attempt_id]],
    ['authenticate', authenticate, [attempt_id]],
    ['inquire', inquire, [attempt_id, processor_reference]],
    ['reverse', reverse, [attempt_id, processor_reference]],
    ['refund', refund.send, [demand_id]],
    ['inquireRefund', refund.inquire, [demand_id, processor_reference]],
    ['capture', capture.send, [demand_id]],
    ['inquireCapture', capture.inquire, [demand_id, processor_reference]],
  ] as const;
  return requests.flatMap(([name, operation, ids]) => {
    if (!operation) return [];
    const mapInput = () => operation.mapRequest(input);
    return [
      {
        name: `${name} contains its id and is the same message every time`,
        run() {
          assert.ok(ids.some((id) => JSON.stringify(mapInput()).includes(id)));
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
  ...exampleInput,
  attempt_id: text,
  authentication: {
    version: text,
    status: text,
    eci: text,
    cryptogram: text,
    directory_transaction_eid: text,
  },
});

const fieldsOf = ({ card_fields }: CardRequest): readonly CardField[] => Object.values(card_fields);

/** Parts of a card in a field: an expiry date in one text has two. */
function partsOf(field: CardField): readonly string[] {
  if (field.startsWith('expiry_month')) return ['month'];
  if (field.startsWith('expiry_year')) return ['year'];
  return field.startsWith('expiry_') ? ['month', 'year'] : [field];
}

function cardCases({ authorise, authenticate }: TestedProcessor): ConformanceCase[] {
  const requiredParts: Readonly<Record<string, readonly string[]>> = {
    authorise: ['cvv', 'month', 'pan', 'year'],
    authenticate: ['month', 'pan', 'year'],
  };
  const cardOperations = { authorise, ...(authenticate && { authenticate }) };
  return Object.entries(cardOperations).flatMap(([name, { mapRequest }]) => [
    {
      name: `${name} leaves null in every card field, which the vault fills in`,
      run() {
        const request = mapRequest(exampleInput);
        assert.deepEqual(fieldsOf(request).flatMap(partsOf).toSorted(), requiredParts[name]);
        for (const pointer of Object.keys(request.card_fields)) {
          assert.equal(memberAt(request.body, pointer), null);
        }
      },
    },
    ...hostileTexts.map((text) => ({
      name: `${name} sends the text ${text} unchanged, and never as a card field`,
      run: () =>
        assertSameButFor(
          mapRequest(createInputWith(MARKER_TEXT)),
          mapRequest(createInputWith(text)),
          text,
        ),
    })),
  ]);
}

function assertSameButFor(markedRequest: CardRequest, request: CardRequest, text: string): void {
  assert.deepEqual(request.card_fields, markedRequest.card_fields);
  const expected = JSON.stringify(markedRequest.body).replaceAll(MARKER_TEXT, () =>
    JSON.stringify(text).slice(1, -1),
  );
  assert.equal(JSON.stringify(request.body), expected);
}

/** An operation that has samples must exist. */
function operationOf<Operation>(operation: Operation | undefined): Operation {
  assert.ok(operation, 'samples of an operation that the processor does not have');
  return operation;
}

function sampleCases(processor: TestedProcessor, samples: WireSamples): ConformanceCase[] {
  const { authorise, inquire } = samples;
  const casesOf = <Result>(
    name: string,
    kindSamples: readonly Sample<Result>[],
    mapAnswer: (answer: WireAnswer) => Result,
  ) => [
    { name: `${name} has samples`, run: () => assert.ok(kindSamples.length > 0) },
    ...kindSamples.map(({ status, body, meaning }, index) => ({
      name: `${name}, sample ${index + 1}`,
      run: () => assert.deepEqual(mapAnswer(createHttpAnswer(status, body)), meaning),
    })),
  ];
  return [
    ...casesOf('an approval', authorise.approved, processor.authorise.mapAnswer),
    ...casesOf('a decline', authorise.declined, processor.authorise.mapAnswer),
    ...(samples.authenticate && processor.authenticate
      ? casesOf('an authentication', samples.authenticate, processor.authenticate.mapAnswer)
      : []),
    ...Object.entries(inquire ?? {}).flatMap(([situation, kindSamples]) =>
      casesOf(`an inquiry: ${situation}`, kindSamples, operationOf(processor.inquire).mapAnswer),
    ),
    ...casesOf('a reversal', samples.reverse, processor.reverse.mapAnswer),
    ...(['refund', 'capture'] as const).flatMap((kind) => {
      const { send, inquire } = processor[kind];
      const { approved, declined, receipts, not_found = [] } = samples[kind];
      return [
        ...(receipts
          ? casesOf(`a receipt of a ${kind}`, receipts, send.mapAnswer)
          : [
              ...casesOf(`an approved ${kind}`, approved, send.mapAnswer),
              ...casesOf(`a declined ${kind}`, declined, send.mapAnswer),
            ]),
        ...Object.entries(inquire ? { approved, declined, not_found } : {}).flatMap(
          ([situation, kindSamples]) =>
            casesOf(
              `an inquiry about a ${kind}: ${situation}`,
              kindSamples,
              operationOf(inquire).mapAnswer,
            ),
        ),
      ];
    }),
  ];
}

function unclearCases(processor: TestedProcessor): ConformanceCase[] {
  const { authorise, inquire, reverse, refund, capture, authenticate } = processor;
  const moneyOperations = {
    authorise,
    ...(inquire && { inquire }),
    reverse,
    refund: refund.send,
    ...(refund.inquire && { inquireRefund: refund.inquire }),
    capture: capture.send,
    ...(capture.inquire && { inquireCapture: capture.inquire }),
  };
  const createMeaningCase = (
    name: string,
    mapAnswer: (answer: WireAnswer) => { result: string },
    answer: WireAnswer,
    result: string,
  ) => ({
    name,
    run: () => assert.equal(mapAnswer(answer).result, result),
  });
  const authenticationCase = (name: string, answer: WireAnswer) =>
    authenticate ? [createMeaningCase(name, authenticate.mapAnswer, answer, 'unavailable')] : [];
  return [
    ...Object.entries(unclearAnswers).flatMap(([situation, answer]) => [
      ...Object.entries(moneyOperations).map(([name, { mapAnswer }]) =>
        createMeaningCase(
          `${situation} to ${name} is unknown, not a decline`,
          mapAnswer,
          answer,
          'unknown',
        ),
      ),
      ...authenticationCase(`${situation} to authenticate is unavailable`, answer),
    ]),
    ...Object.entries(moneyOperations).map(([name, { mapAnswer }]) =>
      createMeaningCase(
        `an unsent message to ${name} is not_sent`,
        mapAnswer,
        notSentAnswer,
        'not_sent',
      ),
    ),
    ...authenticationCase('an unsent message to authenticate is unavailable', notSentAnswer),
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

/** Whether a value can be stored: an amount, or a text that is short and without NUL, which PostgreSQL refuses. */
const isStorable = (value: unknown): boolean =>
  value === null ||
  value === false ||
  (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
  (typeof value === 'string' && value.length <= 128 && !value.includes('\0'));

/** Values of a result that are stored, with those of its raw codes. */
const textsOf = (result: object): unknown[] =>
  Object.values(result).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null ? Object.values(value) : [value],
  );

type Path = readonly string[];

/** Paths of all members of an answer, also of those inside other members. */
const pathsOf = (value: unknown): readonly Path[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => [
        [name],
        ...pathsOf(member).map((path) => [name, ...path]),
      ])
    : [];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const replaceMember = (body: unknown, [name, ...rest]: Path, value: unknown): unknown =>
  name !== undefined && isObject(body)
    ? { ...body, [name]: replaceMember(body[name], rest, value) }
    : value;

function hostileCases(processor: TestedProcessor, samples: WireSamples): ConformanceCase[] {
  const casesWith = <Result extends { result: string }>(
    name: string,
    { status, body, meaning }: Sample<Result>,
    mapAnswer: (answer: WireAnswer) => Result,
    allowedResult: string,
  ): ConformanceCase[] =>
    pathsOf(body).map((path) => ({
      name: `${name} keeps its result or is ${allowedResult} for every value of ${path.join('/')}`,
      run() {
        for (const value of hostileValues) {
          const mappedResult = mapAnswer(
            createHttpAnswer(status, replaceMember(body, path, value)),
          );
          assert.ok([meaning.result, allowedResult].includes(mappedResult.result));
          for (const text of textsOf(mappedResult)) assert.ok(isStorable(text), String(text));
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
      sentSamplesOf(samples[kind]).flatMap((sample) => {
        const { mapAnswer } = processor[kind].send;
        return casesWith(
          `a ${kind} that is ${sample.meaning.result}`,
          sample,
          mapAnswer,
          'unknown',
        );
      }),
    ),
    ...(samples.authenticate ?? []).flatMap((sample) =>
      casesWith('an authentication', sample, operationOf(authenticate).mapAnswer, 'unavailable'),
    ),
  ];
}

/** Cases of merchant-initiated charges, which have no verification value and no authentication. */
function merchantInitiatedCases({ authorise }: TestedProcessor): ConformanceCase[] {
  const { authentication } = createInputWith(MARKER_TEXT);
  const initiated_by_merchant = { network_transaction_id: '012345678901234' };
  const mapCharge = () =>
    authorise.mapRequest({
      ...exampleInput,
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
        assert.ok(!text.includes(MARKER_TEXT));
        assert.ok(!fieldsOf(request).includes('cvv'));
      },
    },
  ];
}
