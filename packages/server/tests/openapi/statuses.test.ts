import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileModels } from '../../src/jsonapi/model.ts';
import { type Operation, operationsOf } from '../../src/jsonapi/openapi/operations.ts';
import { conditions, statusesOf } from '../../src/jsonapi/openapi/statuses.ts';
import { useApi } from '../support/api.ts';
import { makeOneOfEach } from '../support/makers.ts';
import { flawsByDocument } from './conforms.ts';
import { provocations, useRecord } from './provoke.ts';

const api = useApi();
const operations = operationsOf(compileModels(resources));
beforeAll(async () => {
  useRecord(api, await makeOneOfEach(api.client, api.books));
});

/** Statuses that depend on rules and states; the tests of each type provoke them. */
const ofRules = ({ kind }: Operation): readonly number[] => [
  405,
  ...(kind === 'action' ? [200] : []),
];

const provokable = (operation: Operation): readonly number[] =>
  statusesOf(operation).filter(
    (status) => ![...conditions, ...ofRules(operation)].includes(status),
  );

describe('every documented status of', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s is answered as the document describes it',
    async (_id, operation) => {
      const ways = provocations(api);
      for (const status of provokable(operation)) {
        const answer = await ways[status]!(operation);
        const seen = { status: answer.status, errors: answer.body?.errors };
        expect(seen.status, `${status}: ${JSON.stringify(seen)}`).toBe(status);
        expect(flawsByDocument(operation, answer), String(status)).toEqual([]);
      }
    },
  );
});
