import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declineCodes } from '@florin/contract/decline-codes.ts';
import { errorTable } from '@florin/contract/errors.ts';
import { webhookCodes } from '@florin/contract/events.ts';
import { authenticationMachine } from '@florin/contract/machines/authentication.ts';
import { statesOf } from '@florin/contract/machines/define-machine.ts';
import {
  type Field,
  isCurrentType,
  type Resource,
} from '@florin/contract/resources/define-resource.ts';
import { eventPatterns } from '@florin/contract/resources/event-codes.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { recipes } from '@florin/contract/triggers/recipes.ts';
import { describe, expect, it } from 'vitest';
import { languages } from './languages.ts';

type Fields = Resource['fields'];

const definitions = Object.values<Resource>(resources).filter(isCurrentType);
const read = (language: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, language, file), 'utf8'));

const withMembers = (fields: Fields): [string, Field][] =>
  Object.entries(fields).flatMap(([name, field]) => [
    [name, field],
    ...withMembers(field.members ?? {}),
  ]);

const actionsOf = ({ actions = {} }: Resource) => Object.entries(actions);

/** Every field of a type, with members of objects and fields of actions. */
const fieldsOf = (resource: Resource): [string, Field][] => [
  ...withMembers(resource.fields),
  ...actionsOf(resource).flatMap(([, { fields = {} }]) => withMembers(fields)),
];

/** Names of companies and products, and codes, which are the same in every language. */
const PROPER =
  /^(?:[a-z]{2}|[A-Z]+|.*[.*].*|visa|mastercard|amex|discover|diners|elo|hiper|hipercard|jcb|maestro|mir|unionpay|apple_pay|google_pay|nmi|edge|rs2|legit_script)$/;

const names = [
  ...definitions.flatMap((resource) => [
    `type_${resource.type}`,
    ...fieldsOf(resource).map(([name]) => `field_${name}`),
    ...Object.keys(resource.relations).map((name) => `field_${name}`),
    ...[
      ...fieldsOf(resource).flatMap(([, { values = [] }]) => values),
      ...actionsOf(resource).map(([name]) => name),
    ]
      .filter((value) => !PROPER.test(value))
      .map((value) => `value_${value}`),
  ]),
];

/** Types that people edit in the dashboard. Only programs write the other types. */
const EDITED: readonly (keyof typeof resources)[] = [
  'account_alerts',
  'beneficial_owners',
  'capture_demands',
  'consumer_addresses',
  'corporate_officials',
  'customer_merges',
  'customers',
  'dispute_files',
  'disputes',
  'legal_addresses',
  'memberships',
  'merchant_tokens',
  'merchants',
  'payment_demands',
  'payment_links',
  'payment_methods',
  'payment_subscriptions',
  'personal_identifications',
  'refund_demands',
  'risk_list_entries',
  'sandbox_clocks',
  'settlement_exceptions',
  'subscription_changes',
  'velocity_limits',
  'webhook_deliveries',
  'webhook_replays',
  'webhook_subscriptions',
];

/** Descriptions that forms show. Amounts and idempotency keys have none. */
const shownTexts = ([name, field]: [string, Field]): string[] => {
  const { create, update, description, deprecated_for } = field;
  return (create || update) &&
    !deprecated_for &&
    description &&
    !name.endsWith('_cents') &&
    name !== 'idempotency_key'
    ? [description]
    : [];
};

function helpOf(resource: Resource): string[] {
  const fields = withMembers(resource.fields).flatMap(shownTexts);
  const actions = actionsOf(resource).flatMap(
    ([, { summary, description = summary, fields = {} }]) => [
      summary,
      description,
      ...withMembers(fields).flatMap(([, field]) => field.description ?? []),
    ],
  );
  const relations = Object.values(resource.relations).flatMap(({ create, description = '' }) =>
    create && description ? [description] : [],
  );
  return [...fields, ...relations, ...actions];
}

/** Keys of the summaries in the list of all record types. */
const summaryKeys = definitions
  .filter(({ operations }) => operations.includes('list'))
  .map(({ type }) => `summary_${type}`);

/** Results of triggers, and reasons for events without one. */
const triggerTexts = Object.values(recipes).map((recipe) =>
  'makes' in recipe ? recipe.makes : recipe.refused,
);

const translated = languages.filter((language) => language !== 'en');

describe.each(languages)('events in %s', (language) => {
  const texts = read(language, 'events.json');

  it('every event and wildcard has its meaning, and no other', () => {
    const codes = new Set([...webhookCodes(resources), ...eventPatterns]);
    expect(Object.keys(texts).toSorted()).toEqual([...codes].toSorted());
  });

  it('no two events have the same meaning', () => {
    expect(new Set(Object.values(texts)).size).toBe(Object.keys(texts).length);
  });
});

/** Names of the interface that people must type or read in a message of it. */
const TYPED = ['losing_evidence'];

describe.each(languages)('the explanations in %s', (language) => {
  const known = read(language, 'help.json');

  it.each(EDITED)('of the forms of %s show no internal names', (type) => {
    const shown = helpOf(resources[type]).map((text) => known[text] ?? text);
    const internal = shown.filter((text) =>
      [...text.matchAll(/[A-Za-z]+_[A-Za-z_]+/g)].some(([name]) => !TYPED.includes(name)),
    );
    expect(internal).toEqual([]);
  });
});

describe.each(translated)('in %s', (language) => {
  it('every type, field, value and action has a name', () => {
    const known = read(language, 'names.json');
    expect(names.filter((name) => !known[name])).toEqual([]);
  });

  it('every decline code and state of an authentication has a name', () => {
    const known = read(language, 'names.json');
    const values = [...Object.keys(declineCodes), ...statesOf(authenticationMachine)];
    expect(values.filter((value) => !known[`value_${value}`])).toEqual([]);
  });

  it.each(EDITED)('the forms of %s have translated explanations', (type) => {
    const known = read(language, 'help.json');
    expect(helpOf(resources[type]).filter((text) => !known[text])).toEqual([]);
  });

  it('every type has a translated summary', () => {
    const known = read(language, 'help.json');
    expect(summaryKeys.filter((key) => !known[key])).toEqual([]);
  });

  it('every error has a sentence, and no other', () => {
    const known = read(language, 'problems.json');
    expect(Object.keys(known).toSorted()).toEqual(Object.keys(errorTable).toSorted());
  });

  it('every trigger has a translated result', () => {
    const known = read(language, 'help.json');
    expect(triggerTexts.filter((text) => !known[text])).toEqual([]);
  });

  it('no translated explanation is left over', () => {
    const ofPages = globSync('pages/registration/*.tsx', { cwd: join(import.meta.dirname, '..') })
      .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
      .join('\n');
    const ofTypes = new Set([
      ...summaryKeys,
      ...triggerTexts,
      ...definitions.flatMap((resource) => [
        ...helpOf(resource),
        ...fieldsOf(resource).flatMap(([, { description }]) => description ?? []),
      ]),
    ]);
    const texts = Object.keys(read(language, 'help.json'));
    expect(texts.filter((text) => !ofTypes.has(text) && !ofPages.includes(text))).toEqual([]);
  });
});
