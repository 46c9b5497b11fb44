import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { adapters } from './index.ts';

const DASHBOARD = new URL('../../../../dashboard/src/i18n/', import.meta.url);

const keys = Object.values(adapters).flatMap(({ metadata: { name, fields } }) =>
  fields.flatMap((field) => [`${name}_${field.name}`, `${name}_${field.name}_help`]),
);

it.each(['de', 'es', 'fr'])(
  'every setting and secret of an account is explained in %s, and no other',
  (language) => {
    const file = new URL(`${language}/processor-fields.json`, DASHBOARD);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8'))).toSorted()).toEqual(keys.toSorted());
  },
);
