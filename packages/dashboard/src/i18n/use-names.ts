import { useMemo } from 'react';
import { humanise } from './format-text.ts';
import { useLanguage, useTexts } from './use-texts.ts';

/** Names of the interface's types, fields and values. A name without a text falls back to the technical name. */
export interface Names {
  /** Returns the name of a type: `payment_demands` → `Payment demands`. */
  type(type: string): string;
  /** Returns the name of a field: `amount_cents` → `Amount`. */
  field(name: string): string;
  /** Name of a state, an action or a value of an enum: `customer_canceled` → `Customer canceled`. */
  value(value: string): string;
}

export function useNames(): Names {
  const t = useTexts('names');
  const { language } = useLanguage();
  return useMemo(
    () => ({
      type: (type) => t.find(`type_${type}`) ?? humanise(type),
      field: (name) => t.find(`field_${name}`) ?? humanise(name.replace(/_cents$/, '')),
      value: (value) =>
        t.find(`value_${value}`) ?? languageName(value, language) ?? humanise(value),
    }),
    [t, language],
  );
}

/** Returns the name of a language, capitalised like all names. */
function languageName(tag: string, language: string): string | undefined {
  if (!/^[a-z]{2}$/.test(tag)) return undefined;
  const name = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(tag);
  return name && humanise(name);
}
