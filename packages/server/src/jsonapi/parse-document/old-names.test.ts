import type { ProblemError } from '@florin/contract/errors.ts';
import { renamedField } from '@florin/contract/resources/define-resource.ts';
import { describe, expect, it } from 'vitest';
import { compileModels, type Model } from '../model.ts';
import { createExample } from '../openapi/examples.ts';
import { requestSchemas } from '../openapi/request-schemas.ts';
import { orders, people, shops } from '../testing/shop.ts';
import { parseCreate } from './parse-document.ts';
import { newRow } from './rows.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const scope = { merchant_id: id, mode: 'sandbox' } as const;

const models = compileModels({
  shops,
  orders,
  people: {
    ...people,
    fields: {
      ...people.fields,
      ...renamedField('surname', 'family', { type: 'string', create: 'required', update: true }),
      ...renamedField('points', 'score', { type: 'integer', create: 'optional', default: 5 }),
    },
  },
});
const model = models.get('people') as Model;

function create(attributes: object) {
  const data = { type: 'people', attributes: { email: 'ada@example.com', ...attributes } };
  return parseCreate(model, JSON.stringify({ data }));
}

function detailsOf(attributes: object): readonly string[] {
  try {
    create(attributes);
    return [];
  } catch (error) {
    return (error as ProblemError).problems.map(({ detail }) => detail);
  }
}

describe('a create with a renamed attribute', () => {
  it.each([
    ['new', { surname: 'Lovelace', points: 7 }],
    ['old', { family: 'Lovelace', score: 7 }],
    ['new and old', { surname: 'Lovelace', family: 'Lovelace', points: 7, score: 7 }],
  ])('stores the values under %s names', (_, attributes) => {
    expect(newRow(model, create(attributes), { id, scope, now: 0 })).toMatchObject({
      family: 'Lovelace',
      score: '7',
    });
  });

  it('stores the default if neither name is sent', () => {
    expect(newRow(model, create({ family: 'L' }), { id, scope, now: 0 }).score).toBe('5');
  });

  it('asks for the new name if neither is sent, and suggests new names only', () => {
    expect(detailsOf({})).toEqual(['surname must have a value.']);
    expect(detailsOf({ family: null })).toEqual(['family must have a value.']);
    expect(detailsOf({ surname: 'L', color: 'red' })).toEqual([
      expect.stringMatching(/Accepted: email, name, surname, points\.$/),
    ]);
  });

  it('is described and shown with the new name', () => {
    const { PeopleCreateRequest } = requestSchemas(models);
    expect(JSON.stringify(PeopleCreateRequest)).toContain('"required":["email","surname"]');
    expect(createExample(model)).not.toHaveProperty('data.attributes.family');
  });
});
