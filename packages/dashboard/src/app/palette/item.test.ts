import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { languages } from '../../i18n/languages.ts';
import { consoleNavigation, navigation } from '../navigation.ts';
import { matchingItems, type PaletteItem } from './item.ts';

type Texts = Readonly<Record<string, string>>;

const read = (language: string, name: string): Texts =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../i18n/${language}/${name}.json`), 'utf8'),
  );

const pages = [...navigation, ...consoleNavigation]
  .flatMap(({ items }) => items)
  .flatMap((item) => item.tabs ?? [item])
  .map(({ text }) => text);

/** Pages and actions of the palette, by the keys of their texts. */
function itemsIn(language: string): PaletteItem[] {
  const [palette, common] = [read(language, 'palette'), read(language, 'common')];
  const item = (id: string, text = ''): PaletteItem => {
    const also = palette[`also_${id}`];
    return { id, icon: 'list', text, opens_page: true, run() {}, ...(also && { also }) };
  };
  return [
    ...pages.map((key) => item(key, common[key])),
    ...['new_payment', 'new_link', 'new_key'].map((key) => item(key, palette[key])),
    ...['account', 'sign_out'].map((key) => item(key, common[key])),
  ];
}

it.each([
  ['en', 'refunds', 'nav_payments'],
  ['en', 'Chargeback', 'nav_disputes'],
  ['en', 'keys', 'nav_keys'],
  ['en', 'API', 'nav_keys'],
  ['en', 'invoice', 'new_link'],
  ['en', 'password', 'account'],
  ['en', '2FA', 'account'],
  ['en', 'two factor', 'account'],
  ['en', 'two-factor', 'account'],
  ['en', 'payout', 'nav_balance'],
  ['en', 'invite', 'nav_team'],
  ['en', 'log out', 'sign_out'],
  ['de', 'Erstattung', 'nav_payments'],
  ['de', 'rückbuchung', 'nav_disputes'],
  ['de', 'Schlüssel', 'nav_keys'],
  ['de', 'Rechnung', 'new_link'],
  ['de', 'Passwort', 'account'],
  ['de', 'Auszahlung', 'nav_balance'],
  ['es', 'reembolsos', 'nav_payments'],
  ['es', 'contracargo', 'nav_disputes'],
  ['es', 'factura', 'new_link'],
  ['es', 'contrasena', 'account'],
  ['es', '2fa', 'account'],
  ['fr', 'remboursement', 'nav_payments'],
  ['fr', 'chargeback', 'nav_disputes'],
  ['fr', 'facture', 'new_link'],
  ['fr', 'mot de passe', 'account'],
  ['fr', 'clés', 'nav_keys'],
])('in %s, “%s” finds %s', (language, text, key) =>
  expect(matchingItems(itemsIn(language), text).map(({ id }) => id)).toContain(key),
);

it.each(languages)('every page has other words in %s', (language) => {
  const palette = read(language, 'palette');
  expect(pages.filter((key) => !palette[`also_${key}`])).toEqual([]);
});

it('lists items by their own text before those that other words match', () => {
  const found = matchingItems(itemsIn('en'), 'webhooks').map(({ id }) => id);
  expect(found).toEqual(['nav_webhooks', 'nav_events', 'nav_operator_notifications']);
});

it.each(['zz', 'al', 'hook'])(
  'finds nothing for “%s”, which is too short or begins no other word',
  (text) => {
    const items = [{ ...(itemsIn('en')[0] as PaletteItem), text: 'Home', also: 'alpha, webhook' }];
    expect(matchingItems(items, text)).toEqual([]);
  },
);
