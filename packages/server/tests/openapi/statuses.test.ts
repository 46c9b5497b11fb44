import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileModels } from '../../src/jsonapi/model.ts';
import { type Operation, operationsOf } from '../../src/jsonapi/openapi/operations.ts';
import { commonStatuses, statusesOf } from '../../src/jsonapi/openapi/statuses.ts';
import { useApi } from '../support/api.ts';
import { cachingHeadersOf, NO_STORE, PRIVATE } from '../support/caching.ts';
import { type Answer, documentOf } from '../support/client.ts';
import { violationsOf } from '../support/json-api-document.ts';
import { makeOneOfEach } from '../support/makers.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { documentViolations } from './conforms.ts';
import { provocationsOf, setReusableRecord, UNKNOWN_PARAMETER } from './provoke.ts';

const api = useApi();
const operations = operationsOf(compileModels(resources));
beforeAll(async () => {
  setReusableRecord(api, await makeOneOfEach(api.client, api.fixtures));
});

/** Statuses that depend on rules and states; the tests of each type provoke them. */
const ruleStatusesOf = ({ kind }: Operation): readonly number[] => [
  405,
  ...(kind === 'action' ? [200] : []),
];

const provokableStatuses = (operation: Operation): readonly number[] =>
  statusesOf(operation).filter(
    (status) => ![...commonStatuses, ...ruleStatusesOf(operation)].includes(status),
  );

/** Statuses of a request that succeeds. All others change nothing, so their order does not matter. */
const SUCCESS_STATUSES = [200, 201, 304];

/** Types whose records show secrets, or equivalents, to this key. */
const secretTypes = new Set<ResourceType>([
  'emails',
  'letters',
  'payment_methods',
  'personal_identifications',
  'webhook_subscriptions',
]);

/** Errors that are the same at every operation. */
function expectedErrors(status: number, { kind }: Operation): unknown {
  if (status === 400) return [['unknown_parameter', UNKNOWN_PARAMETER]];
  if (status === 401) return [['unauthorized', 'Authorization']];
  if (status === 403) return [['forbidden', undefined]];
  return status === 404 && kind !== 'create' ? [['not_found', undefined]] : expect.anything();
}

const showsSecrets = ({ body }: Answer): boolean =>
  [body?.data].flat().some((record) => secretTypes.has(record?.type));

/** Emails with a link to a customer's page are secret, others are not, and any of them may be the newest. */
const allowedCachingOf = ({ answerModel: answers }: Operation, isSecret: boolean): unknown[] =>
  ['emails', 'letters'].includes(answers.type)
    ? [NO_STORE, PRIVATE]
    : [isSecret ? NO_STORE : PRIVATE];

function checkAnswer(operation: Operation, status: number, answer: Answer): void {
  const errors = answer.body?.errors && errorsOf(answer);
  expect([answer.status, errors], JSON.stringify(answer.body?.errors)).toEqual([
    status,
    status < 400 ? undefined : expectedErrors(status, operation),
  ]);
  expect(documentViolations(operation, answer), String(status)).toEqual([]);
  expect(answer.body === undefined ? [] : violationsOf(answer.body), String(status)).toEqual([]);
  if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

/** The first operation of each kind with the same statuses. All operations of a kind share their refusals. */
const representatives = new Set(
  Map.groupBy(operations, (operation) => `${operation.kind} ${provokableStatuses(operation)}`)
    .values()
    .map(([operation]) => operation),
);

/** Representatives are tested with every status, other operations only with their success. */
const testedStatusesOf = (operation: Operation): readonly number[] =>
  provokableStatuses(operation).filter((status) => representatives.has(operation) || status < 300);

const testCases = operations
  .map((operation) => [operation.id, operation, testedStatusesOf(operation)] as const)
  .filter(([, , statuses]) => statuses.length > 0);

/** Tests all writes, not only representatives: each action's behaviour could skip the precondition. */
it('every write of a record checks If-Match', async () => {
  const writes = operations.filter(({ kind }) => kind === 'update' || kind === 'action');
  const answers = await Promise.all(
    writes.map(async ({ model: { type }, path }) => {
      const [{ id }] = (await api.client.get(`/v2/${type}?page[size]=1`)).body.data;
      const document = documentOf(type, {}, {}, id);
      return api.client.send('PATCH', path.replace('{id}', id), document, { 'if-match': '"0.0"' });
    }),
  );
  expect(
    answers.map((answer, index) => [writes[index]?.id, answer.status, errorsOf(answer)]),
  ).toEqual(writes.map(({ id }) => [id, 412, [['stale_record', 'If-Match']]]));
  expect(writes.length).toBeGreaterThan(30);
});

describe('every documented status of', () => {
  it.each(testCases)(
    '%s is answered as the document describes it, and caches keep no secret',
    async (_id, operation, statuses) => {
      const provocations = provocationsOf(api);
      let isSecret = false;
      for (const status of SUCCESS_STATUSES.filter((success) => statuses.includes(success))) {
        const answer = await provocations[status]!(operation);
        checkAnswer(operation, status, answer);
        isSecret ||= showsSecrets(answer);
        if (operation.method === 'get')
          expect(allowedCachingOf(operation, isSecret), String(status)).toContainEqual(
            cachingHeadersOf(answer),
          );
      }
      const refusals = statuses.filter((status) => !SUCCESS_STATUSES.includes(status));
      const answers = await Promise.all(refusals.map((status) => provocations[status]!(operation)));
      for (const [index, answer] of answers.entries()) {
        checkAnswer(operation, refusals[index] as number, answer);
        expect(cachingHeadersOf(answer), String(refusals[index])).toEqual(PRIVATE);
      }
    },
  );
});
