import { randomBytes } from 'node:crypto';
import type { Locale } from '@florin/contract/locales.ts';
import { customers } from '@florin/contract/resources/customers.ts';
import { checkText } from '../../../jsonapi/parse-document/text-value.ts';
import type { FieldErrors } from '../pages/pages.ts';
import type { EnteredPayer } from '../purchase.ts';

const KEY_BYTES = 16;
const KEY = /^[\w-]{22}$/;

/** Random key of one rendering of a page. */
export const newPageKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/** Payer's details and their validation errors. The details are valid if there are no errors. */
export interface Entry {
  readonly payer: EnteredPayer;
  readonly field_errors: FieldErrors;
}

/** Parses the submitted details. Replaces a malformed key with a new one. */
export function payerOf(body: unknown, locale: Locale): Entry {
  const members = (body ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (name: string): string => {
    const value = members[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const [email, name, key] = [textOf('email'), textOf('name'), textOf('page_key')];
  const page_key = KEY.test(key) ? key : newPageKey();
  return {
    payer: { email, name, page_key, locale },
    field_errors: {
      ...(!isAllowed('email', email) && { email: 'email_wrong' }),
      ...(!isAllowed('name', name) && { name: 'name_missing' }),
    },
  };
}

/** Whether the value is valid for a customer. Links require both fields. */
const isAllowed = (field: 'email' | 'name', text: string): boolean =>
  text !== '' && 'value' in checkText(customers.fields[field], text);
