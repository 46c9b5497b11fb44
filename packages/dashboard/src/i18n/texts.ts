import type account from './en/account.json';
import type balance from './en/balance.json';
import type business from './en/business.json';
import type common from './en/common.json';
import type customers from './en/customers.json';
import type developers from './en/developers.json';
import type disputes from './en/disputes.json';
import type help from './en/help.json';
import type home from './en/home.json';
import type links from './en/links.json';
import type names from './en/names.json';
import type operator from './en/operator.json';
import type payments from './en/payments.json';
import type records from './en/records.json';
import type setup from './en/setup.json';
import type signIn from './en/sign-in.json';
import type subscriptions from './en/subscriptions.json';
import type team from './en/team.json';
import type { Language } from './languages.ts';

/** The texts of each folder of pages, by the name of their files. A new file gets its line here. */
export interface Namespaces {
  readonly account: typeof account;
  readonly team: typeof team;
  readonly setup: typeof setup;
  readonly business: typeof business;
  readonly common: typeof common;
  readonly developers: typeof developers;
  readonly help: typeof help;
  readonly home: typeof home;
  readonly names: typeof names;
  readonly operator: typeof operator;
  readonly payments: typeof payments;
  readonly records: typeof records;
  readonly balance: typeof balance;
  readonly customers: typeof customers;
  readonly disputes: typeof disputes;
  readonly links: typeof links;
  readonly subscriptions: typeof subscriptions;
  readonly 'sign-in': typeof signIn;
}

export type Namespace = keyof Namespaces;
export type Texts = Readonly<Record<string, string>>;

const files = import.meta.glob<Texts>('./*/*.json', { import: 'default' });
const loaded = new Map<string, Promise<Texts>>();

/** The texts of a folder in a language: asked for once, the same promise ever after. */
export function loadTexts(language: Language, namespace: Namespace): Promise<Texts> {
  const path = `./${language}/${namespace}.json`;
  const known = loaded.get(path);
  if (known) return known;
  const loading = files[path]?.() ?? Promise.resolve({});
  loaded.set(path, loading);
  return loading;
}
