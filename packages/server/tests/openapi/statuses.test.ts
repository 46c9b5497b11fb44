import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileModels } from '../../src/jsonapi/model.ts';
import { type Operation, operationsOf } from '../../src/jsonapi/openapi/operations.ts';
import { conditions, statusesOf } from '../../src/jsonapi/openapi/statuses.ts';
import { useApi } from '../support/api.ts';
import { cachingOf, NO_STORE, PRIVATE } from '../support/caching.ts';
import { type Answer, documentOf } from '../support/client.ts';
import { flawsOf } from '../support/json-api-document.ts';
import { makeOneOfEach } from '../support/makers.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { flawsByDocument } from './conforms.ts';
import { provocationsOf, UNKNOWN_PARAMETER, useRecord } from './provoke.ts';

const api = useApi();
const operations = operationsOf(compileModels(resources));
beforeAll(async () => {
  useRecord(api, await makeOneOfEach(api.client, api.fixtures));
});

/** Statuses that depend on rules and states; the tests of each type provoke them. */
const ofRules = ({ kind }: Operation): readonly number[] => [
  405,
  ...(kind === 'action' ? [200] : []),
];

const provokableStatuses = (operation: Operation): readonly number[] =>
  statusesOf(operation).filter(
    (status) => ![...conditions, ...ofRules(operation)].includes(status),
  );

/** Statuses of a request that succeeds. All others change nothing, so their order does not matter. */
const SUCCESSES = [200, 201, 304];

/** Types whose records show secrets, or equivalents, to this key. */
const secretive = new Set<ResourceType>([
  'letters',
  'payment_methods',
  'personal_identifications',
  'webhook_subscriptions',
]);

/** Errors that are the same at every operation. */
function errorsAt(status: number, { kind }: Operation): unknown {
  if (status === 400) return [['unknown_parameter', UNKNOWN_PARAMETER]];
  if (status === 401) return [['unauthorized', 'Authorization']];
  if (status === 403) return [['forbidden', undefined]];
  return status === 404 && kind !== 'create' ? [['not_found', undefined]] : expect.anything();
}

const showsSecrets = ({ body }: Answer): boolean =>
  [body?.data].flat().some((record) => secretive.has(record?.type));

/** Emails with a link to a customer's page are secret, others are not, and any of them may be the newest. */
const cachingsOf = ({ answers }: Operation, isSecret: boolean): unknown[] =>
  answers.type === 'letters' ? [NO_STORE, PRIVATE] : [isSecret ? NO_STORE : PRIVATE];

function checkAnswer(operation: Operation, status: number, answer: Answer): void {
  const errors = answer.body?.errors && errorsOf(answer);
  expect([answer.status, errors], JSON.stringify(answer.body?.errors)).toEqual([
    status,
    status < 400 ? undefined : errorsAt(status, operation),
  ]);
  expect(flawsByDocument(operation, answer), String(status)).toEqual([]);
  expect(answer.body === undefined ? [] : flawsOf(answer.body), String(status)).toEqual([]);
  if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

/** The first operation of each kind with the same statuses. All operations of a kind share their refusals. */
const representatives = new Set(
  Map.groupBy(operations, (operation) => `${operation.kind} ${provokableStatuses(operation)}`)
    .values()
    .map(([first]) => first),
);

/** Representatives are asked for every status, others only for their success. */
const askedOf = (operation: Operation): readonly number[] =>
  provokableStatuses(operation).filter((status) => representatives.has(operation) || status < 300);

const provoked = operations
  .map((operation) => [operation.id, operation, askedOf(operation)] as const)
  .filter(([, , statuses]) => statuses.length > 0);

/** Not a representative's: the behaviour of each action could skip the precondition. */
it('every write of a record checks If-Match', async () => {
  const writes = operations.filter(({ kind }) => kind === 'update' || kind === 'action');
  const answers = await Promise.all(
    writes.map(async ({ model: { type }, path }) => {
      const [{ id }] = (await api.client.get(`/v2/${type}?page[size]=1`)).body.data;
      const document = documentOf(type, {}, {}, id);
      return api.client.send('PATCH', path.replace('{id}', id), document, { 'if-match': '"0.0"' });
    }),
  );
  expect(answers.map((answer, at) => [writes[at]?.id, answer.status, errorsOf(answer)])).toEqual(
    writes.map(({ id }) => [id, 412, [['stale_record', 'If-Match']]]),
  );
  expect(writes.length).toBeGreaterThan(30);
});

describe('every documented status of', () => {
  it.each(provoked)(
    '%s is answered as the document describes it, and caches keep no secret',
    async (_id, operation, statuses) => {
      const ways = provocationsOf(api);
      let isSecret = false;
      for (const status of SUCCESSES.filter((each) => statuses.includes(each))) {
        const answer = await ways[status]!(operation);
        checkAnswer(operation, status, answer);
        isSecret ||= showsSecrets(answer);
        if (operation.method === 'get')
          expect(cachingsOf(operation, isSecret), String(status)).toContainEqual(cachingOf(answer));
      }
      const refused = statuses.filter((status) => !SUCCESSES.includes(status));
      const answers = await Promise.all(refused.map((status) => ways[status]!(operation)));
      for (const [at, answer] of answers.entries()) {
        checkAnswer(operation, refused[at] as number, answer);
        expect(cachingOf(answer), String(refused[at])).toEqual(PRIVATE);
      }
    },
  );
});
